/** The total is what the lines come to. */
export function* sum(order) {
  const { lines, total } = order ?? {};
  if (!Array.isArray(lines) || typeof total !== "number") return;
  const due = lines.reduce((all, line) => all + line?.price * line?.count, 0);
  if (Number.isFinite(due) && due !== total) yield { at: "/total", why: `is ${total}, and the lines come to ${due}` };
}

/** Sent twice under one id: the second is refused, and the first is still there. */
export async function twice(context) {
  const order = { id: "ORD-102", lines: [{ price: 1, count: 1 }], total: 1 };
  const send = (body) => context.send({ method: "POST", path: "/orders", body });
  await send(order);
  const { status } = await send({ ...order, lines: [{ price: 2, count: 1 }], total: 2 });
  context.expect("ORDER-ONCE-001", status >= 400 && status < 500, `the second is answered HTTP ${status}`);
  const { json } = await context.send({ method: "GET", path: "/orders/ORD-102" });
  context.expect("ORDER-ONCE-001", json?.total === 1, `the first reads ${JSON.stringify(json)}`);
}
