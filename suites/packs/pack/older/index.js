/** The total is what the lines come to. */
const sum = {
  rule: "ORDER-SUM-001",
  statement: "The total is the sum of price times count over all lines.",
  documents: ["order"],
  *check(order) {
    const { lines, total } = order ?? {};
    if (!Array.isArray(lines) || typeof total !== "number") return;
    const due = lines.reduce((all, line) => all + line?.price * line?.count, 0);
    if (Number.isFinite(due) && due !== total) yield { at: "/total", why: `is ${total}, and the lines come to ${due}` };
  },
};

const lines = [
  { price: 250, count: 2 },
  { price: 99, count: 1 },
];

const large = 2 ** 32;
const one = (price, count) => ({ id: "ORD-002", lines: [{ price, count }], total: price * count });

const cases = {
  rule: "ORDER-SUM-001",
  document: "order",
  // Edge cases of the schema, with correct sums: other vectors are derived from these.
  valid: [
    { name: "sum", says: "is the sum of two lines", at: "/total", data: { id: "ORD-001", lines, total: 599 } },
    { name: "one-line", says: "is that of one line", at: "/total", data: one(250, 2) },
    { name: "another-line", says: "is that of another line", at: "/total", data: one(1, 1) },
    {
      name: "most-lines",
      says: "is the sum of five lines",
      at: "/total",
      data: { id: "ORD-003", lines: [...lines, ...lines, lines[0]], total: 1698 },
    },
    {
      name: "most-lines-alike",
      says: "is the sum of five lines that are alike",
      at: "/total",
      data: { id: "ORD-003", lines: Array(5).fill(lines[1]), total: 495 },
    },
    { name: "free", says: "is zero", at: "/total", data: one(0, 3) },
    { name: "free-once", says: "is zero", at: "/total", data: one(0, 1), edge: true },
    { name: "large-price", says: "is beyond 32 bits", at: "/total", data: one(large, 1) },
    { name: "large-sum", says: "is beyond 32 bits, for a price", at: "/total", data: one(large, 3) },
    { name: "large-count", says: "is beyond 32 bits, for a count", at: "/total", data: one(1, large) },
    { name: "larger-count", says: "is beyond 32 bits, for another count", at: "/total", data: one(2, large) },
  ],
  invalid: [
    { name: "one-more", says: "is one more than the sum", change: [{ op: "replace", path: "/total", value: 600 }] },
    { name: "each-once", says: "counts each line once", change: [{ op: "replace", path: "/total", value: 349 }] },
  ],
};

/** Sent twice under one id: the second is refused, and the first is still there. */
const once = {
  name: "twice",
  says: "an id is taken once",
  rules: ["ORDER-ONCE-001"],
  needs: [],
  withinMs: 10_000,
  async play(context) {
    const order = { id: "ORD-102", lines: [{ price: 1, count: 1 }], total: 1 };
    const send = (body) => context.send({ method: "POST", path: "/orders", body });
    await send(order);
    const { status } = await send({ ...order, lines: [{ price: 2, count: 1 }], total: 2 });
    context.expect("ORDER-ONCE-001", status >= 400 && status < 500, `the second is answered HTTP ${status}`);
    const { json } = await context.send({ method: "GET", path: "/orders/ORD-102" });
    context.expect("ORDER-ONCE-001", json?.total === 1, `the first reads ${JSON.stringify(json)}`);
  },
};

export const pack = { rules: [{ checkers: [sum], cases: [cases] }], scenarios: [once] };
