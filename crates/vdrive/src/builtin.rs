//! The Specs that come with the program.

macro_rules! builtin {
    ($($name:literal),* $(,)?) => {
        pub(crate) const NAMES: &[&str] = &[$($name),*];

        pub(crate) fn text(name: &str) -> Option<&'static str> {
            match name {
                $($name => Some(include_str!(concat!("../specs/", $name, ".toml"))),)*
                _ => None,
            }
        }
    };
}

builtin!(
    "demo",
    "zero",
    "pm9e1-1tb",
    "mlc-1tb",
    "qlc-dramless-1tb",
    "folding-tlc-1tb",
    "plp-enterprise-3t84",
    "p4500-4tb",
    "iu16k-7t68",
    "flat-cfexpress-800gb",
    "optane-like-960gb",
    "ssd-a",
    "ssd-b",
    "ssd-c",
    "chaos",
);
