//! Packs the weights of the committed ONNX file in the order in which the network reads them, so
//! that the library carries them ready for use: nothing is read, copied or arranged at run time.
//!
//! Invariant: what is packed is the whole model and nothing else. A tensor that is missing, of
//! another type or shape, or that nobody reads fails the build and is named.

#[path = "src/network/shape.rs"]
mod shape;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;

use shape::{BLOCKS, DEPTH, HIDDEN, INNER, LANES, LAYERS, POSITIONS, WORDS};

const MODEL: &str = "model/minilm-l6-v2-int8.onnx";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    for file in ["build.rs", "src/network/shape.rs", MODEL] {
        println!("cargo::rerun-if-changed={file}");
    }
    let file = fs::read(MODEL).map_err(|error| format!("{MODEL}: {error}"))?;
    let packed = packed(&file).map_err(|error| format!("{MODEL}: {error}"))?;
    let folder = env::var("OUT_DIR")?;
    Ok(fs::write(Path::new(&folder).join("minilm.weights"), packed)?)
}

/// The order is that of `Weights::read`.
fn packed(file: &[u8]) -> Result<Vec<u8>> {
    let mut model = Model::read(file)?;
    let mut packed = Vec::with_capacity(file.len());
    for layer in 0..LAYERS {
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        let attention =
            ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
        model.matrix(&attention, HIDDEN, HIDDEN, &mut packed)?;
        model.matrix(&[name("attention.output.dense")], HIDDEN, HIDDEN, &mut packed)?;
        model.norm(&name("attention.output.LayerNorm"), &mut packed)?;
        model.matrix(&[name("intermediate.dense")], HIDDEN, INNER, &mut packed)?;
        model.matrix(&[name("output.dense")], INNER, HIDDEN, &mut packed)?;
        model.norm(&name("output.LayerNorm"), &mut packed)?;
    }
    model.norm("embeddings.LayerNorm", &mut packed)?;
    model.positions(&mut packed)?;
    model.words(&mut packed)?;
    model.end()?;
    Ok(packed)
}

/// The tensors of the file that have not been packed yet.
struct Model<'a>(BTreeMap<String, Tensor<'a>>);

impl<'a> Model<'a> {
    fn read(file: &'a [u8]) -> Result<Model<'a>> {
        const GRAPH: u64 = 7;
        const INITIALIZER: u64 = 5;
        let mut tensors = BTreeMap::new();
        for graph in fields(file)?.iter().filter(|field| field.number == GRAPH) {
            for field in fields(graph.bytes)?.iter().filter(|field| field.number == INITIALIZER) {
                let (name, tensor) = Tensor::read(field.bytes)?;
                tensors.insert(name, tensor);
            }
        }
        Ok(Model(tensors))
    }

    fn take(&mut self, name: &str, kind: Kind, shape: &[usize]) -> Result<Tensor<'a>> {
        let tensor = self.0.remove(name).ok_or_else(|| format!("has no tensor {name}"))?;
        let length = shape.iter().product::<usize>() * kind.size();
        if tensor.kind != kind as u64 || tensor.shape != shape || tensor.bytes.len() != length {
            let Tensor { kind: found, shape: dims, bytes } = tensor;
            let expected = format!("{kind:?} {shape:?} in {length} bytes");
            let found = format!("type {found} {dims:?} in {} bytes", bytes.len());
            return Err(format!("{name} is {found}, not {expected}").into());
        }
        Ok(tensor)
    }

    fn floats(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        Ok(self.take(name, Kind::Float, shape)?.floats())
    }

    /// The weights of matrices with the same inputs, as one matrix with the outputs of all: groups
    /// of [`BLOCKS`] blocks; in a group, for each [`DEPTH`] inputs, the blocks; in a block, for
    /// each of [`LANES`] channels, its weights for these inputs. Then, for each channel, its
    /// scale, its bias, and the sum of its weights.
    fn matrix(
        &mut self,
        names: &[String],
        inputs: usize,
        outputs: usize,
        packed: &mut Vec<u8>,
    ) -> Result<()> {
        let (mut scales, mut biases, mut sums) = (Vec::new(), Vec::new(), Vec::new());
        for name in names {
            let zeros = self.take(&format!("{name}.w_zero_point"), Kind::Signed, &[outputs])?;
            if zeros.bytes.iter().any(|zero| *zero != 0) {
                return Err(
                    format!("{name} has zero points, which the network does not use").into()
                );
            }
            let weights =
                self.take(&format!("{name}.w_quantized"), Kind::Signed, &[inputs, outputs])?;
            // The network may sum two products in 16 bits.
            if weights.bytes.iter().any(|weight| weight.cast_signed() == i8::MIN) {
                return Err(format!("{name} has a weight of -128, beyond what is summed").into());
            }
            pack(&weights.bytes, outputs, packed);
            scales.extend(self.floats(&format!("{name}.w_scale"), &[outputs])?);
            biases.extend(self.floats(&format!("{name}.bias"), &[outputs])?);
            let mut of_channels = vec![0_i32; outputs];
            for row in weights.bytes.chunks_exact(outputs) {
                for (sum, weight) in of_channels.iter_mut().zip(row) {
                    *sum += i32::from(weight.cast_signed());
                }
            }
            sums.extend(of_channels);
        }
        append(&scales, packed);
        append(&biases, packed);
        packed.extend(sums.iter().flat_map(|sum| sum.to_le_bytes()));
        Ok(())
    }

    fn norm(&mut self, name: &str, packed: &mut Vec<u8>) -> Result<()> {
        append(&self.floats(&format!("{name}.g"), &[HIDDEN])?, packed);
        append(&self.floats(&format!("{name}.b"), &[HIDDEN])?, packed);
        Ok(())
    }

    /// What is added to a word at each place. All texts are of the first type.
    fn positions(&mut self, packed: &mut Vec<u8>) -> Result<()> {
        let kind = self.floats("type0", &[HIDDEN])?;
        let positions = self.floats("pos", &[POSITIONS, HIDDEN])?;
        let both: Vec<f32> =
            positions.iter().zip(kind.iter().cycle()).map(|(place, kind)| place + kind).collect();
        append(&both, packed);
        Ok(())
    }

    /// One scale and one zero point for all words, and a row of bytes for each.
    fn words(&mut self, packed: &mut Vec<u8>) -> Result<()> {
        append(&self.floats("word_scale", &[])?, packed);
        let zero = self.take("word_zero_point", Kind::Unsigned, &[])?;
        append(&[f32::from(zero.bytes[0])], packed);
        packed.extend_from_slice(
            &self.take("word_quantized", Kind::Unsigned, &[WORDS, HIDDEN])?.bytes,
        );
        Ok(())
    }

    /// Only constants of the graph may be left: single numbers, and shapes of up to four.
    fn end(self) -> Result<()> {
        match self.0.iter().find(|(_, tensor)| tensor.shape.iter().product::<usize>() > 4) {
            Some((name, _)) => Err(format!("has a tensor {name}, which nobody reads").into()),
            None => Ok(()),
        }
    }
}

fn pack(weights: &[u8], outputs: usize, packed: &mut Vec<u8>) {
    for group in (0..outputs).step_by(BLOCKS * LANES) {
        for rows in weights.chunks_exact(DEPTH * outputs) {
            for channel in group..group + BLOCKS * LANES {
                for input in 0..DEPTH {
                    packed.push(rows[input * outputs + channel]);
                }
            }
        }
    }
}

fn append(floats: &[f32], packed: &mut Vec<u8>) {
    packed.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
}

/// The types of numbers in the file, as ONNX numbers them.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Float = 1,
    Unsigned = 2,
    Signed = 3,
}

impl Kind {
    fn size(self) -> usize {
        if self == Kind::Float { 4 } else { 1 }
    }
}

/// An array of numbers, with the bytes of each in the order of small machines.
struct Tensor<'a> {
    kind: u64,
    shape: Vec<usize>,
    bytes: Cow<'a, [u8]>,
}

impl<'a> Tensor<'a> {
    /// With its name.
    fn read(message: &'a [u8]) -> Result<(String, Tensor<'a>)> {
        const DIMS: u64 = 1;
        const DATA_TYPE: u64 = 2;
        const FLOAT_DATA: u64 = 4;
        const INT32_DATA: u64 = 5;
        const NAME: u64 = 8;
        const RAW_DATA: u64 = 9;
        let mut name = String::new();
        let mut tensor = Tensor { kind: 0, shape: Vec::new(), bytes: Cow::Borrowed(&[]) };
        for field in fields(message)? {
            match field.number {
                DIMS => tensor.shape.push(usize::try_from(field.value)?),
                DATA_TYPE => tensor.kind = field.value,
                FLOAT_DATA | RAW_DATA => tensor.bytes = Cow::Borrowed(field.bytes),
                // Bytes too are stored in this way, each as a number of its own.
                INT32_DATA => tensor.bytes = Cow::Owned(bytes_of_numbers(field.bytes)?),
                NAME => name = String::from_utf8(field.bytes.to_vec())?,
                _ => {}
            }
        }
        Ok((name, tensor))
    }

    fn floats(&self) -> Vec<f32> {
        let (floats, _) = self.bytes.as_chunks();
        floats.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    }
}

fn bytes_of_numbers(mut message: &[u8]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while !message.is_empty() {
        let [low, ..] = number(&mut message)?.to_le_bytes();
        bytes.push(low);
    }
    Ok(bytes)
}

/// A field of a protobuf message: a number, or bytes that may be a message themselves.
struct Field<'a> {
    number: u64,
    value: u64,
    bytes: &'a [u8],
}

fn fields(mut message: &[u8]) -> Result<Vec<Field<'_>>> {
    let mut fields = Vec::new();
    while !message.is_empty() {
        let tag = number(&mut message)?;
        let mut field = Field { number: tag >> 3, value: 0, bytes: &[] };
        match tag & 7 {
            0 => field.value = number(&mut message)?,
            2 => {
                let length = usize::try_from(number(&mut message)?)?;
                field.bytes = split(&mut message, length)?;
            }
            1 => field.bytes = split(&mut message, 8)?,
            5 => field.bytes = split(&mut message, 4)?,
            other => return Err(format!("is no protobuf: a field of wire type {other}").into()),
        }
        fields.push(field);
    }
    Ok(fields)
}

/// Seven bits a byte, the lowest first; the eighth says that more follow.
fn number(message: &mut &[u8]) -> Result<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = split(message, 1)?[0];
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err("is no protobuf: a number of more than 64 bits".into())
}

fn split<'a>(message: &mut &'a [u8], length: usize) -> Result<&'a [u8]> {
    let (head, tail) = message.split_at_checked(length).ok_or("ends too early")?;
    *message = tail;
    Ok(head)
}
