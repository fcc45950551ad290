//! One inference: the ids of one text in, its vector out.
//!
//! Invariant: an inference holds one text and no padding. The network scales its 8-bit
//! activations by the extremes of all it is given, so a second text or a padded place would
//! change the vector of the first.

use std::error::Error;
use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, ValueView};

use crate::local::DIMENSION;

static WEIGHTS: &[u8] = include_bytes!("../model/minilm-l6-v2-int8.onnx");

/// Where an inference runs. The vector is the same either way.
pub(crate) enum Cores {
    /// Soonest done, for one text.
    All,
    /// For one of several texts at once, each on its own core.
    One(Arc<ThreadPool>),
}

impl Cores {
    pub(crate) fn one() -> Cores {
        Cores::One(Arc::new(ThreadPool::with_num_threads(1)))
    }
}

pub(crate) struct Network {
    model: Model,
    input_ids: NodeId,
    attention_mask: NodeId,
    last_hidden_state: NodeId,
}

impl Network {
    pub(crate) fn load() -> Result<Network, Box<dyn Error + Send + Sync>> {
        // Unpacked, 8-bit weights are slower than float ones.
        let model =
            ModelOptions::with_all_ops().prepack_weights(true).load_static_slice(WEIGHTS)?;
        Ok(Network {
            input_ids: model.node_id("input_ids")?,
            attention_mask: model.node_id("attention_mask")?,
            last_hidden_state: model.node_id("last_hidden_state")?,
            model,
        })
    }

    pub(crate) fn vector(
        &self,
        ids: &[i32],
        cores: &Cores,
    ) -> Result<Vec<f32>, Box<dyn Error + Send + Sync>> {
        let shape = [1, ids.len()];
        let mask = vec![1; ids.len()];
        let inputs = vec![
            (self.input_ids, ValueView::from_shape(shape, ids)?.into()),
            (self.attention_mask, ValueView::from_shape(shape, &mask)?.into()),
        ];
        let pool = match cores {
            Cores::All => None,
            Cores::One(pool) => Some(Arc::clone(pool)),
        };
        let options = RunOptions::default().with_thread_pool(pool);
        let [states] = self.model.run_n(inputs, [self.last_hidden_state], Some(options))?;
        let (_, states) = states.into_shape_vec::<f32, 3>()?;
        Ok(direction(&states))
    }
}

/// The mean of the tokens' states, scaled to length one: the sum points the same way.
fn direction(states: &[f32]) -> Vec<f32> {
    let mut vector = vec![0.0; DIMENSION];
    for state in states.chunks_exact(DIMENSION) {
        for (sum, value) in vector.iter_mut().zip(state) {
            *sum += value;
        }
    }
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > 0.0 {
        for value in &mut vector {
            *value /= length;
        }
    }
    vector
}
