"""Does with OpenAI's own Python client what applications do, and prints what came back."""

import array
import json
import sys

import openai

client = openai.OpenAI(base_url=sys.argv[1], api_key="sk-anything", max_retries=0)
MODEL = "here/m"
FUNCTION = {
    "name": "weather",
    "description": "Tells the weather.",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
}
TOOLS = [{"type": "function", "function": FUNCTION}]
told = {}


def asked(text):
    return [{"role": "user", "content": text}]


def error_of(call):
    try:
        call()
    except openai.APIStatusError as error:
        return [type(error).__name__, error.status_code, error.code, error.param]
    except openai.APIError as error:
        return [type(error).__name__, error.code]
    return None


answer = client.chat.completions.create(model=MODEL, messages=asked("Where is the ferry?"))
told["chat"] = [
    answer.choices[0].message.content,
    answer.choices[0].finish_reason,
    answer.usage.total_tokens,
]

stream = client.chat.completions.create(
    model=MODEL,
    messages=asked("When does it leave?"),
    stream=True,
    stream_options={"include_usage": True},
)
chunks = list(stream)
told["chat_stream"] = [
    "".join(c.choices[0].delta.content or "" for c in chunks if c.choices),
    [c.choices[0].finish_reason for c in chunks if c.choices][-1],
    chunks[-1].usage.total_tokens,
]

messages = asked("Does it rain in Bergen?")
answer = client.chat.completions.create(model=MODEL, messages=messages, tools=TOOLS)
message = answer.choices[0].message
call = message.tool_calls[0]
told["tool_call"] = [answer.choices[0].finish_reason, call.function.name, call.function.arguments]
messages += [message, {"role": "tool", "tool_call_id": call.id, "content": "heavy rain"}]
answer = client.chat.completions.create(model=MODEL, messages=messages, tools=TOOLS)
told["tool_answer"] = answer.choices[0].message.content

with client.chat.completions.stream(
    model=MODEL, messages=asked("Does it rain in Oslo?"), tools=TOOLS
) as stream:
    final = stream.get_final_completion().choices[0]
told["tool_stream"] = [
    final.finish_reason,
    final.message.tool_calls[0].function.name,
    final.message.tool_calls[0].function.arguments,
]

response = client.responses.create(model=MODEL, input="Who is the captain?")
told["response"] = [response.output_text, response.status, response.usage.total_tokens]
response = client.responses.create(
    model=MODEL, input="And the mate?", previous_response_id=response.id
)
told["response_next"] = response.output_text

with client.responses.stream(model=MODEL, input="Who is the cook?") as stream:
    told["response_events"] = [event.type for event in stream]
    told["response_stream"] = stream.get_final_response().output_text

response = client.responses.create(
    model=MODEL, input="Rain?", tools=[{"type": "function", **FUNCTION}]
)
call = response.output[0]
told["response_call"] = [call.type, call.name, call.arguments]
response = client.responses.create(
    model=MODEL,
    input=[{"type": "function_call_output", "call_id": call.call_id, "output": "none"}],
    tools=[{"type": "function", **FUNCTION}],
    previous_response_id=response.id,
)
told["response_answer"] = response.output_text

told["models"] = [model.id for model in client.models.list()]
told["model"] = client.models.retrieve("here/m").id

vectors = client.embeddings.create(model="minilm-l6-v2", input=["ferry", "quay"])
told["embeddings"] = [len(vectors.data), len(vectors.data[0].embedding)]
plain = client.embeddings.create(model="minilm-l6-v2", input="ferry", encoding_format="float")
single = array.array("f", plain.data[0].embedding)
told["embedding_formats_agree"] = single.tolist() == vectors.data[0].embedding

raw = client.chat.completions.with_raw_response.create(
    model=MODEL, messages=asked("Hello"), extra_headers={"X-Dossier-Profile": "off"}
)
told["off"] = [raw.parse().choices[0].message.content, "x-dossier-receipt" in raw.headers]

create = client.chat.completions.create
told["unknown_model"] = error_of(lambda: create(model="nobody/m", messages=asked("Hi")))
told["refused"] = error_of(lambda: create(model=MODEL, messages=asked("Hi"), n=2))
told["rate_limited"] = error_of(lambda: create(model=MODEL, messages=asked("Busy?")))
retried = client.with_options(max_retries=1).chat.completions.create(
    model=MODEL, messages=asked("Still busy?")
)
told["retried"] = retried.choices[0].message.content
told["broken"] = error_of(
    lambda: list(create(model=MODEL, messages=asked("Break"), stream=True))
)
told["broken_response"] = error_of(
    lambda: list(client.responses.create(model=MODEL, input="Break", stream=True))
)

print(json.dumps(told))
