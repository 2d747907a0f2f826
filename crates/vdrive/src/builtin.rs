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

builtin!("demo", "zero");
