"""Writes two tiny models of random weights and serves them with llama.cpp, until killed.

One embeds: a BERT of two layers that reads one token a character, 512 at the most, and answers
with 32 numbers. The other talks: a Llama of one layer, one token a byte, 2,048 at the most. They
mean nothing, but they are served as real ones are.
"""

import signal
import socket
import sys

import gguf
import numpy
import xllamacpp

WIDTH, LAYERS, HEADS, INNER, LONGEST = 32, 2, 4, 64, 512
TALK_LONGEST = 2048
KEY = "dossier-test"
# What was said, and which tools there are.
TEMPLATE = """{% if tools %}tools: {{ tools | tojson }}
{% endif %}{% for message in messages %}{{ message.role }}: {{ message.content }}
{% if message.tool_calls %}{{ message.tool_calls | tojson }}
{% endif %}{% endfor %}{% if add_generation_prompt %}assistant: {% endif %}"""


def write_embedder(path):
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
    finish(model)


def write_talker(path):
    chance = numpy.random.default_rng(11)
    # All bytes, then every printable character once more, so that mostly text is said.
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    tokens += [chr(code) for code in range(33, 127)] + ["\u2581"]
    kinds = [2, 3, 3] + [6] * 256 + [1] * (len(tokens) - 259)
    model = gguf.GGUFWriter(path, "llama")
    model.add_name("tiny-talk")
    model.add_context_length(TALK_LONGEST)
    model.add_embedding_length(WIDTH)
    model.add_block_count(1)
    model.add_feed_forward_length(INNER)
    model.add_head_count(HEADS)
    model.add_head_count_kv(HEADS)
    model.add_rope_dimension_count(WIDTH // HEADS)
    model.add_layer_norm_rms_eps(1e-5)
    model.add_vocab_size(len(tokens))
    model.add_tokenizer_model("llama")
    model.add_token_list(tokens)
    model.add_token_scores([0.0] * 259 + [-1.0] * (len(tokens) - 259))
    model.add_token_types(kinds)
    model.add_unk_token_id(0)
    model.add_bos_token_id(1)
    model.add_eos_token_id(2)
    model.add_chat_template(TEMPLATE)

    def weights(name, *shape):
        model.add_tensor(name + ".weight", chance.normal(0, 0.5, shape).astype(numpy.float32))

    def norm(name):
        model.add_tensor(name + ".weight", numpy.ones(WIDTH, numpy.float32))

    weights("token_embd", len(tokens), WIDTH)
    norm("output_norm")
    # What is no printable character is hardly ever said.
    output = chance.normal(0, 0.5, (len(tokens), WIDTH)).astype(numpy.float32)
    output[:259] *= 0.01
    model.add_tensor("output.weight", output)
    for name in ["attn_q", "attn_k", "attn_v", "attn_output"]:
        weights(f"blk.0.{name}", WIDTH, WIDTH)
    norm("blk.0.attn_norm")
    norm("blk.0.ffn_norm")
    weights("blk.0.ffn_gate", INNER, WIDTH)
    weights("blk.0.ffn_up", INNER, WIDTH)
    weights("blk.0.ffn_down", WIDTH, INNER)
    finish(model)


def finish(model):
    model.write_header_to_file()
    model.write_kv_data_to_file()
    model.write_tensors_to_file()
    model.close()


def serve(path, longest, embeds):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = xllamacpp.CommonParams()
    settings.model.path = path
    settings.embedding = embeds
    settings.hostnames = ["127.0.0.1"]
    settings.port = port
    settings.api_keys = [KEY]
    settings.n_ctx = settings.n_batch = settings.n_ubatch = longest
    settings.n_parallel = 1
    settings.warmup = False
    settings.use_jinja = not embeds
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.model_alias = {"tiny" if embeds else "tiny-talk"}
    return xllamacpp.Server(settings)


folder, said = sys.argv[1:]
write_embedder(folder + "/tiny.gguf")
write_talker(folder + "/tiny-talk.gguf")
embedder = serve(folder + "/tiny.gguf", LONGEST, True)
talker = serve(folder + "/tiny-talk.gguf", TALK_LONGEST, False)
with open(said, "w") as ready:
    print("ready", embedder.listening_address, talker.listening_address, file=ready)
signal.pause()
