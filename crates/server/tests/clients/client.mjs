// Does with OpenAI's own JavaScript client what applications do, and prints what came back.

import { createRequire } from "node:module";

const [baseURL, folder] = process.argv.slice(2);
const { default: OpenAI } = createRequire(`${folder}/`)("openai");
const client = new OpenAI({ baseURL, apiKey: "sk-anything", maxRetries: 0 });
const model = "here/m";
const described = {
  name: "weather",
  description: "Tells the weather.",
  parameters: { type: "object", properties: { city: { type: "string" } } },
};
const tools = [{ type: "function", function: described }];
const told = {};

const asked = (content) => [{ role: "user", content }];

const errorOf = async (call) => {
  try {
    await call();
  } catch (error) {
    const name = error.constructor.name;
    return error.status ? [name, error.status, error.code, error.param ?? null] : [name, error.code];
  }
  return null;
};

const all = async (stream) => {
  const pieces = [];
  for await (const piece of await stream) pieces.push(piece);
  return pieces;
};

const create = (body, options) => client.chat.completions.create({ model, ...body }, options);

let answer = await create({ messages: asked("Where is the ferry?") });
told.chat = [
  answer.choices[0].message.content,
  answer.choices[0].finish_reason,
  answer.usage.total_tokens,
];

const chunks = await all(
  create({
    messages: asked("When does it leave?"),
    stream: true,
    stream_options: { include_usage: true },
  }),
);
const choices = chunks.flatMap((chunk) => chunk.choices);
told.chat_stream = [
  choices.map((choice) => choice.delta.content ?? "").join(""),
  choices.at(-1).finish_reason,
  chunks.at(-1).usage.total_tokens,
];

const messages = asked("Does it rain in Bergen?");
answer = await create({ messages, tools });
let call = answer.choices[0].message.tool_calls[0];
told.tool_call = [answer.choices[0].finish_reason, call.function.name, call.function.arguments];
messages.push(answer.choices[0].message, {
  role: "tool",
  tool_call_id: call.id,
  content: "heavy rain",
});
answer = await create({ messages, tools });
told.tool_answer = answer.choices[0].message.content;

const streamed = client.chat.completions.stream({
  model,
  messages: asked("Does it rain in Oslo?"),
  tools,
});
const final = (await streamed.finalChatCompletion()).choices[0];
call = final.message.tool_calls[0];
told.tool_stream = [final.finish_reason, call.function.name, call.function.arguments];

let response = await client.responses.create({ model, input: "Who is the captain?" });
told.response = [response.output_text, response.status, response.usage.total_tokens];
response = await client.responses.create({
  model,
  input: "And the mate?",
  previous_response_id: response.id,
});
told.response_next = response.output_text;

const stream = client.responses.stream({ model, input: "Who is the cook?" });
told.response_events = (await all(stream)).map((event) => event.type);
told.response_stream = (await stream.finalResponse()).output_text;

const functions = [{ type: "function", ...described }];
response = await client.responses.create({ model, input: "Rain?", tools: functions });
call = response.output[0];
told.response_call = [call.type, call.name, call.arguments];
response = await client.responses.create({
  model,
  input: [{ type: "function_call_output", call_id: call.call_id, output: "none" }],
  tools: functions,
  previous_response_id: response.id,
});
told.response_answer = response.output_text;

told.models = (await all(client.models.list())).map((model) => model.id);
told.model = (await client.models.retrieve("here/m")).id;

const embed = (body) => client.embeddings.create({ model: "minilm-l6-v2", ...body });
const vectors = await embed({ input: ["ferry", "quay"] });
told.embeddings = [vectors.data.length, vectors.data[0].embedding.length];
const plain = await embed({ input: "ferry", encoding_format: "float" });
told.embedding_formats_agree = plain.data[0].embedding.every(
  (number, place) => Math.fround(number) === vectors.data[0].embedding[place],
);

const off = { headers: { "X-Dossier-Profile": "off" } };
const raw = await create({ messages: asked("Hello") }, off).withResponse();
told.off = [raw.data.choices[0].message.content, raw.response.headers.has("x-dossier-receipt")];

told.unknown_model = await errorOf(() => create({ model: "nobody/m", messages: asked("Hi") }));
told.refused = await errorOf(() => create({ messages: asked("Hi"), n: 2 }));
told.rate_limited = await errorOf(() => create({ messages: asked("Busy?") }));
answer = await create({ messages: asked("Still busy?") }, { maxRetries: 1 });
told.retried = answer.choices[0].message.content;
told.broken = await errorOf(() => all(create({ messages: asked("Break"), stream: true })));
told.broken_response = await errorOf(() =>
  all(client.responses.create({ model, input: "Break", stream: true })),
);

console.log(JSON.stringify(told));
