"""Writes a tiny embedding model of random weights and serves it with llama.cpp, until killed.

The model is a BERT of two layers that reads one token a character, 512 at the most, and answers
with 32 numbers. It means nothing, but it is served as a real one is.
"""

import signal
import socket
import sys

import gguf
import numpy
import xllamacpp

WIDTH, LAYERS, HEADS, INNER, LONGEST = 32, 2, 4, 64, 512
KEY = "dossier-test"


def write(path):
    chance = numpy.random.default_rng(7)
    letters = [chr(code) for code in range(33, 127)]
    # A word begins with this mark.
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokens += ["\u2581" + letter for letter in letters] + letters
    model = gguf.GGUFWriter(path, "bert")
    model.add_name("tiny")
    model.add_context_length(LONGEST)
    model.add_embedding_length(WIDTH)
    model.add_block_count(LAYERS)
    model.add_feed_forward_length(INNER)
    model.add_head_count(HEADS)
    model.add_layer_norm_eps(1e-12)
    model.add_causal_attention(False)
    model.add_pooling_type(gguf.PoolingType.MEAN)
    model.add_tokenizer_model("bert")
    model.add_token_list(tokens)
    model.add_token_types([3] * 5 + [1] * (len(tokens) - 5))
    model.add_token_type_count(2)
    model.add_pad_token_id(0)
    model.add_unk_token_id(1)
    model.add_bos_token_id(2)
    model.add_eos_token_id(3)
    model.add_sep_token_id(3)
    model.add_mask_token_id(4)

    def weights(name, *shape):
        model.add_tensor(name, chance.normal(0, 0.5, shape).astype(numpy.float32))

    def layer(name, *shape):
        weights(name + ".weight", *shape)
        model.add_tensor(name + ".bias", numpy.zeros(shape[0], numpy.float32))

    def norm(name):
        model.add_tensor(name + ".weight", numpy.ones(WIDTH, numpy.float32))
        model.add_tensor(name + ".bias", numpy.zeros(WIDTH, numpy.float32))

    weights("token_embd.weight", len(tokens), WIDTH)
    weights("position_embd.weight", LONGEST, WIDTH)
    weights("token_types.weight", 2, WIDTH)
    norm("token_embd_norm")
    for number in range(LAYERS):
        for name in ["attn_q", "attn_k", "attn_v", "attn_output"]:
            layer(f"blk.{number}.{name}", WIDTH, WIDTH)
        norm(f"blk.{number}.attn_output_norm")
        norm(f"blk.{number}.layer_output_norm")
        layer(f"blk.{number}.ffn_up", INNER, WIDTH)
        layer(f"blk.{number}.ffn_down", WIDTH, INNER)
    model.write_header_to_file()
    model.write_kv_data_to_file()
    model.write_tensors_to_file()
    model.close()


def serve(path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = xllamacpp.CommonParams()
    settings.model.path = path
    settings.embedding = True
    settings.hostnames = ["127.0.0.1"]
    settings.port = port
    settings.api_keys = [KEY]
    settings.n_ctx = settings.n_batch = settings.n_ubatch = LONGEST
    settings.n_parallel = 1
    settings.warmup = False
    server = xllamacpp.Server(settings)
    print("ready", server.listening_address, flush=True)
    signal.pause()


write(sys.argv[1])
serve(sys.argv[1])
