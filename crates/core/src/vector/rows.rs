//! Vectors side by side in memory, so that one pass compares a query with all of them. What stands
//! apart is looked for again and again, which takes several times as long as the comparing.

use super::{Quantised, dot};

/// Vectors of one dimension, each in its row; a row may be empty.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    dimension: usize,
    values: Vec<i8>,
    /// None where the row is empty.
    scales: Vec<Option<f32>>,
}

impl Rows {
    /// The vectors in order. One of another dimension than the first is left out.
    pub fn of<'a>(vectors: impl ExactSizeIterator<Item = Option<&'a Quantised>> + Clone) -> Self {
        let first = vectors.clone().flatten().next();
        let dimension = first.map_or(0, Quantised::dimension);
        let mut rows = Self {
            dimension,
            values: Vec::with_capacity(vectors.len() * dimension),
            scales: Vec::with_capacity(vectors.len()),
        };
        for vector in vectors {
            let own = vector.filter(|vector| vector.dimension() == dimension);
            rows.scales.push(own.map(|vector| vector.scale));
            match own {
                Some(vector) => rows.values.extend_from_slice(&vector.values),
                None => rows.values.resize(rows.values.len() + dimension, 0),
            }
        }
        rows
    }

    /// The similarity of each row to the nearest of some queries, as [`Quantised::similarity`] tells
    /// it; none for an empty row.
    pub fn similarities(&self, queries: &[Quantised]) -> Vec<Option<f32>> {
        let of_row = |(row, scale): (&[i8], &Option<f32>)| {
            let scale = (*scale)?;
            let alike = queries.iter().filter(|query| query.dimension() == self.dimension);
            let similarity =
                |query: &Quantised| dot(&query.values, row) as f32 * query.scale * scale;
            Some(alike.map(similarity).fold(0.0, f32::max))
        };
        self.values.chunks_exact(self.dimension.max(1)).zip(&self.scales).map(of_row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_as_alike_as_its_vector() {
        let vectors = [[0.6, -0.8, 0.0], [0.0, 1.0, 0.0], [0.3, 0.3, 0.9]];
        let vectors = vectors.map(|vector| Quantised::of(&vector));
        let queries = [Quantised::of(&[1.0, 0.0, 0.0]), Quantised::of(&[0.0, 0.7, 0.7])];
        let rows =
            Rows::of([Some(&vectors[0]), None, Some(&vectors[1]), Some(&vectors[2])].into_iter());
        let nearest = |vector: &Quantised| {
            queries.iter().map(|query| query.similarity(vector)).fold(0.0, f32::max)
        };
        let [first, second, third] = vectors.each_ref().map(nearest);
        assert_eq!(rows.similarities(&queries), [Some(first), None, Some(second), Some(third)]);
    }

    #[test]
    fn a_vector_of_another_dimension_is_no_row() {
        let (long, short) = (Quantised::of(&[1.0, 0.0]), Quantised::of(&[1.0]));
        let rows = Rows::of([Some(&long), Some(&short)].into_iter());
        assert_eq!(rows.similarities(std::slice::from_ref(&long)).len(), 2);
        assert_eq!(rows.similarities(&[long])[1], None);
        assert_eq!(rows.similarities(&[short]), [Some(0.0), None]);
    }

    #[test]
    fn without_vectors_there_is_nothing_alike() {
        assert_eq!(Rows::of([None, None].into_iter()).similarities(&[]), []);
    }
}
