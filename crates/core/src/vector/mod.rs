//! Vectors as they are stored and compared: one byte a dimension. Both databases keep these same
//! bytes and compare them here, so that neither ranks differently from the other.

mod bits;
mod rows;
mod signs;

pub use rows::Rows;
pub use signs::Signs;

/// A vector of length one, each dimension as an eight-bit share of the largest.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantised {
    scale: f32,
    values: Vec<i8>,
}

impl Quantised {
    /// Bytes of the stored form before the values.
    pub const HEAD: usize = 4;

    pub fn of(vector: &[f32]) -> Self {
        let largest = vector.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
        if largest == 0.0 {
            return Self { scale: 0.0, values: vec![0; vector.len()] };
        }
        let values = vector.iter().map(|value| (value / largest * 127.0).round() as i8).collect();
        Self { scale: largest / 127.0, values }
    }

    /// Cosine of the two, up to rounding; 0 when their dimensions differ, since vectors of
    /// different models are never compared.
    pub fn similarity(&self, other: &Self) -> f32 {
        if self.values.len() != other.values.len() {
            return 0.0;
        }
        dot(&self.values, &other.values) as f32 * self.scale * other.scale
    }

    pub fn dimension(&self) -> usize {
        self.values.len()
    }

    /// The values as floating-point numbers, for a database's own distance operators.
    pub fn to_floats(&self) -> Vec<f32> {
        self.values.iter().map(|value| f32::from(*value) * self.scale).collect()
    }

    /// The stored form: the scale as four little-endian bytes, then a byte a dimension.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.scale.to_le_bytes().to_vec();
        bytes.extend(self.values.iter().map(|value| value.to_le_bytes()[0]));
        bytes
    }

    /// Reads the stored form; `None` when it is too short to be one.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (scale, values) = bytes.split_first_chunk::<4>()?;
        Some(Self {
            scale: f32::from_le_bytes(*scale),
            values: values.iter().map(|byte| i8::from_le_bytes([*byte])).collect(),
        })
    }
}

fn dot(left: &[i8], right: &[i8]) -> i32 {
    left.iter().zip(right).map(|(left, right)| i32::from(*left) * i32::from(*right)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similarity_is_close_to_the_cosine() {
        let unit = |vector: [f32; 3]| {
            let norm = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
            vector.map(|value| value / norm)
        };
        let (left, right) = (unit([1.0, 2.0, -3.0]), unit([0.5, 1.0, -1.0]));
        let cosine: f32 = left.iter().zip(&right).map(|(left, right)| left * right).sum();
        let quantised = Quantised::of(&left).similarity(&Quantised::of(&right));
        assert!((cosine - quantised).abs() < 0.01, "{cosine} {quantised}");
    }

    #[test]
    fn a_vector_survives_its_stored_form() {
        let vector = Quantised::of(&[0.6, -0.8, 0.0]);
        assert_eq!(Quantised::from_bytes(&vector.to_bytes()), Some(vector));
        assert_eq!(Quantised::from_bytes(&[1, 2]), None);
    }

    #[test]
    fn vectors_of_different_dimensions_are_never_alike() {
        assert_eq!(Quantised::of(&[1.0]).similarity(&Quantised::of(&[1.0, 0.0])), 0.0);
    }
}
