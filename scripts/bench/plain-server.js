// plain.js behind HTTP, in a separate thread. The path of a request is the index of its schema among all documents.
import { createServer } from "node:http";
import { parentPort, workerData } from "node:worker_threads";
import validate, { validatorFor } from "./plain.js";

const { protocols } = workerData;
const documents = protocols.flatMap(({ documents, schemas }) => documents.map((schema) => ({ schema, schemas })));
for (const { schema, schemas } of documents) validatorFor(schema, schemas);

function answer(context, body) {
  try {
    const result = validate(JSON.parse(body), context);
    return result === true ? { valid: true } : { valid: false, errors: result.errors };
  } catch {
    return { valid: false };
  }
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const text = JSON.stringify(answer(documents[request.url.slice(1)], Buffer.concat(chunks).toString("utf8")));
    response.writeHead(201, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
    response.end(text);
  });
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
