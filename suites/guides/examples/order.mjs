/** An implementation of order.schema.json that forgets that a count ends at 99. */
export const claims = [];

export default (order) =>
  typeof order === "object" &&
  order !== null &&
  Object.keys(order).every((name) => ["id", "count"].includes(name)) &&
  typeof order.id === "string" &&
  /^ORD-[0-9]{3}$/.test(order.id) &&
  Number.isInteger(order.count) &&
  order.count >= 1;
