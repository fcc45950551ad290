//! Vectors side by side in memory, so that one pass compares a query with all of them. What stands
//! apart is looked for again and again, which takes several times as long as the comparing.

use super::Quantised;

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

    /// One more row. A vector of another dimension than the first is left out.
    pub fn push(&mut self, vector: &Quantised) {
        if self.scales.is_empty() {
            self.dimension = vector.dimension();
        }
        let is_own = vector.dimension() == self.dimension;
        self.scales.push(is_own.then_some(vector.scale));
        match is_own {
            true => self.values.extend_from_slice(&vector.values),
            false => self.values.resize(self.values.len() + self.dimension, 0),
        }
    }

    /// Keeps the rows that are wanted, in their order.
    pub fn retain(&mut self, wanted: impl Fn(usize) -> bool) {
        let mut kept = 0;
        for row in 0..self.scales.len() {
            if wanted(row) {
                self.scales[kept] = self.scales[row];
                let from = row * self.dimension;
                self.values.copy_within(from..from + self.dimension, kept * self.dimension);
                kept += 1;
            }
        }
        self.scales.truncate(kept);
        self.values.truncate(kept * self.dimension);
    }

    /// The similarity of each row to the nearest of some queries, as [`Quantised::similarity`] tells
    /// it, and 0 if that is below; none for an empty row.
    pub fn similarities(&self, queries: &[Quantised]) -> Vec<Option<f32>> {
        let queries: Vec<Wide> = queries.iter().filter_map(|query| self.wide(query)).collect();
        let of_row = |(row, scale): (&[i8], Option<f32>)| {
            let scale = scale?;
            let alike = queries.iter().map(|query| query.dot(row) * query.scale * scale);
            Some(alike.fold(0.0, f32::max))
        };
        self.rows().map(of_row).collect()
    }

    /// The similarity of each row to a query, as its vector tells it, to the bit; none for an empty row,
    /// and for no row where the query has another dimension.
    pub fn similarities_to(&self, query: &Quantised) -> Vec<Option<f32>> {
        let Some(query) = self.wide(query) else { return Vec::new() };
        self.rows().map(|(row, scale)| Some(query.dot(row) * scale? * query.scale)).collect()
    }

    fn rows(&self) -> impl Iterator<Item = (&[i8], Option<f32>)> {
        self.values.chunks_exact(self.dimension.max(1)).zip(self.scales.iter().copied())
    }

    fn wide(&self, query: &Quantised) -> Option<Wide> {
        let is_own = query.dimension() == self.dimension;
        let values = || query.values.iter().map(|value| i16::from(*value)).collect();
        is_own.then(|| Wide { scale: query.scale, values: values() })
    }
}

/// A query in the width that its products have: it is brought to that once, and not for each row.
struct Wide {
    scale: f32,
    values: Vec<i16>,
}

impl Wide {
    fn dot(&self, row: &[i8]) -> f32 {
        let pairs = self.values.iter().zip(row);
        pairs.map(|(one, other)| i32::from(*one) * i32::from(*other)).sum::<i32>() as f32
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
    fn rows_come_and_go_in_their_order() {
        let vectors = [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]].map(|vector| Quantised::of(&vector));
        let mut rows = Rows::default();
        vectors.iter().for_each(|vector| rows.push(vector));
        rows.push(&Quantised::of(&[1.0]));
        rows.retain(|row| row != 0);
        let query = Quantised::of(&[0.5, 0.5]);
        let alike = rows.similarities_to(&query);
        let [_, second, third] = vectors.map(|vector| vector.similarity(&query));
        assert_eq!(alike, [Some(second), Some(third), None]);
    }

    #[test]
    fn without_vectors_there_is_nothing_alike() {
        assert_eq!(Rows::of([None, None].into_iter()).similarities(&[]), []);
    }
}
