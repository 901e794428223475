import { createServer } from "node:http";

/** Takes orders, and forgets that a count ends at 99. */
const isOrder = (order) =>
  typeof order === "object" &&
  order !== null &&
  Object.keys(order).every((name) => ["id", "count"].includes(name)) &&
  /^ORD-[0-9]{3}$/.test(order.id) &&
  Number.isInteger(order.count) &&
  order.count >= 1;

createServer(async (request, response) => {
  let order;
  try {
    order = JSON.parse(Buffer.concat(await request.toArray()).toString());
  } catch {}
  response.writeHead(request.url === "/orders" ? (isOrder(order) ? 201 : 422) : 404).end();
}).listen(8080, "127.0.0.1");
