// plain.js as a command: one line of JSON per message on stdin and stdout.
import { createInterface } from "node:readline";
import validate from "./plain.js";

let schemas = [];

function answer({ seq, schema, data, text, base64 }) {
  let instance = data;
  if (instance === undefined) {
    try {
      instance = JSON.parse(text ?? Buffer.from(base64, "base64").toString("utf8"));
    } catch {
      return { seq, valid: false };
    }
  }
  const result = validate(instance, { schema, schemas });
  return result === true ? { seq, valid: true } : { seq, valid: false, errors: result.errors };
}

createInterface({ input: process.stdin, terminal: false }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.command === "hello") {
    ({ schemas } = message);
    console.log('{"ready":true}');
  } else if (message.command === "check") console.log(JSON.stringify(answer(message)));
});
