"use strict";
// Shows /openapi.json: operations by tag, with parameters, bodies and responses. Everything is put
// in as text, never as markup.

function element(name, text, attributes) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  return made;
}

// A schema as an example-like outline; what refers to itself ends with its name.
function outline(api, schema, seen) {
  if (!schema) return "any";
  if (schema.$ref) {
    const name = schema.$ref.split("/").pop();
    if (seen.includes(name)) return name;
    return outline(api, api.components.schemas[name], seen.concat(name));
  }
  const variants = schema.oneOf || schema.anyOf;
  if (variants) {
    const shown = variants.filter((variant) => variant.type !== "null");
    const outlines = shown.map((variant) => outline(api, variant, seen));
    return outlines.length === 1 ? outlines[0] : { "one of": outlines };
  }
  if (schema.allOf) {
    return Object.assign({}, ...schema.allOf.map((part) => outline(api, part, seen)));
  }
  if (schema.enum) return schema.enum.join(" | ");
  const types = [].concat(schema.type || "any").filter((type) => type !== "null");
  if (types.includes("array")) return [outline(api, schema.items, seen)];
  if (types.includes("object") && schema.properties) {
    const required = schema.required || [];
    const entries = Object.entries(schema.properties).map(([name, property]) => [
      required.includes(name) ? name : name + "?",
      outline(api, property, seen),
    ]);
    return Object.fromEntries(entries);
  }
  return schema.format ? types.join(" | ") + " (" + schema.format + ")" : types.join(" | ");
}

function bodies(api, content) {
  const made = document.createDocumentFragment();
  for (const [type, media] of Object.entries(content || {})) {
    made.append(element("div", type, { class: "said" }));
    made.append(element("pre", JSON.stringify(outline(api, media.schema, []), null, 2)));
  }
  return made;
}

function operation(api, path, method, about) {
  const made = element("details", undefined, { id: about.operationId });
  const title = element("summary");
  title.append(element("span", method.toUpperCase(), { class: "method" }));
  title.append(element("code", path), " ");
  title.append(element("span", about.summary || "", { class: "said" }));
  made.append(title);
  if (about.description) made.append(element("p", about.description));
  if (about.parameters && about.parameters.length) {
    const table = element("table");
    for (const parameter of about.parameters) {
      const row = element("tr");
      row.append(element("td", parameter.name + (parameter.required ? "" : "?")));
      row.append(element("td", parameter.in), element("td", parameter.description || ""));
      table.append(row);
    }
    made.append(element("h4", "Parameters"), table);
  }
  if (about.requestBody) {
    made.append(element("h4", "Body"), bodies(api, about.requestBody.content));
  }
  for (const [status, response] of Object.entries(about.responses)) {
    if (status >= "400") continue;
    made.append(element("h4", status + " " + response.description), bodies(api, response.content));
  }
  const errors = Object.keys(about.responses).filter((status) => status >= "400");
  made.append(element("p", "Problems: " + errors.join(", "), { class: "said" }));
  return made;
}

function show(api) {
  document.getElementById("about").textContent = api.info.description;
  const main = document.getElementById("operations");
  for (const tag of api.tags) {
    const section = element("section");
    section.append(element("h2", tag.name), element("p", tag.description, { class: "said" }));
    for (const [path, methods] of Object.entries(api.paths)) {
      for (const [method, about] of Object.entries(methods)) {
        if ((about.tags || []).includes(tag.name)) {
          section.append(operation(api, path, method, about));
        }
      }
    }
    main.append(section);
  }
  document.getElementById("find").addEventListener("input", (event) => {
    const wanted = event.target.value.toLowerCase();
    for (const details of main.querySelectorAll("details")) {
      details.hidden = !details.textContent.toLowerCase().includes(wanted);
    }
  });
}

fetch("/openapi.json")
  .then((response) => response.json())
  .then(show)
  .catch((error) => {
    document.getElementById("about").textContent = "openapi.json cannot be read: " + error;
  });
