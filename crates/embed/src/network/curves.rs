//! The two functions that the network needs and processors do not have, as polynomials of our own:
//! those of the system's library differ from one system to the next.

use super::path::Path;

/// Added to a float it leaves a whole number in the lowest bits, rounded to the nearest.
pub(super) const WHOLE: f32 = 12_582_912.0;

/// Two to the power of each, which is to be between -126 and 126, right to 1 in 3,000,000.
#[inline(always)]
pub(super) fn exp2<P: Path>(path: P, powers: P::Floats) -> P::Floats {
    /// For what is left of a power beside its whole number.
    const TERMS: [f32; 6] =
        [1.0, 0.693_146_94, 0.240_221_2, 0.055_507_135, 0.009_675_541, 0.001_327_646_7];
    let whole = path.add(powers, path.all(WHOLE));
    let part = path.sub(powers, path.sub(whole, path.all(WHOLE)));
    path.mul(polynomial(path, part, TERMS), path.power(whole))
}

/// `x (1 + erf(x / √2)) / 2`, the activation that the model was trained with, but for 0.000,002.
#[inline(always)]
pub(super) fn gelu<P: Path>(path: P, values: P::Floats) -> P::Floats {
    /// Beyond it the result is the value itself, or zero, to as many digits.
    const EDGE: f32 = 5.0;
    /// Of `erf(x / √2) / 2x` by `2 (x / EDGE)² - 1`, fitted for the least greatest error.
    const TERMS: [f32; 13] = [
        0.141_363_78,
        -0.070_296_65,
        0.051_521_42,
        -0.040_432_95,
        0.031_426_23,
        -0.023_336_738,
        0.016_497_666,
        -0.010_973_211,
        0.006_165_405_7,
        -0.002_915_697_6,
        0.002_001_889,
        -0.001_514_143_1,
        0.000_492_957_3,
    ];
    let near = path.max(path.min(values, path.all(EDGE)), path.all(-EDGE));
    let square = path.mul(path.mul(near, near), path.all(2.0 / (EDGE * EDGE)));
    let square = path.sub(square, path.all(1.0));
    let half = path.mul(near, polynomial(path, square, TERMS));
    path.mul(values, path.add(path.all(0.5), half))
}

/// The terms are in the order of their powers, from none. Those of even powers and those of odd
/// ones are summed apart, so that neither waits for the other.
#[inline(always)]
fn polynomial<P: Path, const N: usize>(path: P, value: P::Floats, terms: [f32; N]) -> P::Floats {
    let square = path.mul(value, value);
    let mut sums = [path.all(0.0); 2];
    for (power, term) in terms.into_iter().enumerate().rev() {
        let sum = &mut sums[power % 2];
        *sum = path.add(path.mul(*sum, square), path.all(term));
    }
    let [even, odd] = sums;
    path.add(even, path.mul(odd, value))
}

#[cfg(test)]
mod tests {
    use super::super::plain::Plain;
    use super::*;

    #[test]
    fn powers_of_two_are_right_to_one_in_three_million() {
        for step in -12_600..=12_600 {
            let power = step as f32 / 100.0;
            let expected = f64::from(power).exp2();
            let [found, ..] = exp2(Plain, [power; 16]);
            let error = (f64::from(found) - expected).abs() / expected;
            assert!(error < 3.3e-7, "{found} for 2^{power}");
        }
    }

    /// By the series of the error function, which converges everywhere.
    fn expected_gelu(value: f64) -> f64 {
        let x = value / 2.0_f64.sqrt();
        let (mut term, mut sum) = (x, x);
        for n in 1..400 {
            term *= -x * x / f64::from(n);
            sum += term / f64::from(2 * n + 1);
        }
        value * (1.0 + sum * 2.0 / std::f64::consts::PI.sqrt()) / 2.0
    }

    #[test]
    fn the_activation_is_that_of_the_model() {
        for step in -500..=500 {
            let value = step as f32 / 100.0;
            let [found, ..] = gelu(Plain, [value; 16]);
            let expected = expected_gelu(f64::from(value));
            assert!((f64::from(found) - expected).abs() < 3e-6, "{found} for {value}");
        }
    }

    #[test]
    fn far_from_zero_the_activation_is_the_value_or_nothing() {
        for value in [6.0_f32, 10.0, 100.0] {
            let [above, ..] = gelu(Plain, [value; 16]);
            let [below, ..] = gelu(Plain, [-value; 16]);
            assert!((above - value).abs() < value * 1e-6, "{above} for {value}");
            assert!(below.abs() < value * 1e-6, "{below} for -{value}");
        }
    }
}
