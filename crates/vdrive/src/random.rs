//! The drive's one source of randomness, and the few functions that must give the same bits on every machine.

/// xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled", ACM TOMS 42(4), 2016).
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        let mixed = mix(seed);
        Self {
            state: if mixed == 0 { 0x9E37_79B9_7F4A_7C15 } else { mixed },
        }
    }

    /// Uniform over all words.
    pub fn next_u64(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Uniform in `0..bound`; `bound` must not be 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// Uniform in `0.0..1.0`.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Standard normal to within the central limit of twelve uniforms: additions only, so that every machine draws
    /// the same bits (the logarithm and cosine of the usual recipe come from the platform's C library).
    pub fn normal(&mut self) -> f64 {
        let mut sum = 0.0;
        for _ in 0..3 {
            let word = self.next_u64();
            for shift in [0, 16, 32, 48] {
                sum += f64::from((word >> shift) as u16) / 65_536.0;
            }
        }
        sum - 6.0
    }
}

/// splitmix64's finaliser: one well-mixed word per input.
pub fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// e to the power `x` from additions and products only, for `|x| <= 700`; relative error below 1e-12.
pub fn exp(x: f64) -> f64 {
    let halvings = 10;
    let small = x / f64::from(1 << halvings);
    let mut term = 1.0;
    let mut sum = 1.0;
    for n in 1..12 {
        term *= small / f64::from(n);
        sum += term;
    }
    for _ in 0..halvings {
        sum *= sum;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_agrees_with_the_library() {
        for x in [-30.0, -3.0, -0.5, 0.0, 1e-6, 0.7, 4.0, 20.0] {
            let relative: f64 = exp(x) / f64::exp(x) - 1.0;
            assert!(relative.abs() < 1e-11, "{x}: {relative}");
        }
    }

    #[test]
    fn the_normal_has_mean_zero_and_unit_spread() {
        let mut random = Random::new(7);
        let draws: Vec<f64> = (0..100_000).map(|_| random.normal()).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / draws.len() as f64;
        assert!(mean.abs() < 0.02, "{mean}");
        assert!((variance - 1.0).abs() < 0.02, "{variance}");
    }

    #[test]
    fn below_covers_its_range_and_nothing_else() {
        let mut random = Random::new(0);
        let mut seen = [false; 7];
        for _ in 0..1000 {
            seen[random.below(7) as usize] = true;
        }
        assert_eq!(seen, [true; 7]);
    }
}
