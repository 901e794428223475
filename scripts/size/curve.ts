/** Assertions isolated within a time, in seconds. */
export interface CurvePoint {
  seconds: number;
  isolated: number;
  /** Exit code of the command. */
  code: number | null;
  vectors: number;
}

/** Two runs of the same length differ by as much. */
const noise = 0.02;
/** So much of its end a curve has reached half-way. */
const nearShare = 0.8;

/** The faults of a curve over growing times: a cliff, a late rise, nothing written, an exit code other than 0. */
export function faultsOf(points: readonly CurvePoint[]): string[] {
  const sorted = points.toSorted((one, other) => one.seconds - other.seconds);
  const faults = sorted.flatMap(({ seconds, code, vectors }) => [
    ...(vectors === 0 ? [`nothing is written within ${seconds} s`] : []),
    ...(code === 0 ? [] : [`exit ${code} at ${seconds} s`]),
  ]);
  for (const [index, { seconds, isolated }] of sorted.entries()) {
    const before = sorted[index - 1];
    if (before !== undefined && isolated < before.isolated * (1 - noise))
      faults.push(`fewer at ${seconds} s than at ${before.seconds}`);
  }
  const last = sorted.at(-1);
  const half = sorted.findLast(({ seconds }) => last !== undefined && seconds <= last.seconds / 2);
  if (last?.isolated === 0) faults.push("nothing is isolated in the end");
  if (last !== undefined && half !== undefined && half.isolated < nearShare * last.isolated)
    faults.push(`${Math.round((100 * half.isolated) / last.isolated)} % half-way`);
  return faults;
}

/** Definitions that refer to each other in circles, with unions: the shape of MCP and ACP. Made of their number alone. */
export function entangledDefinitions(count: number): object {
  let state = 12345;
  const draw = (below: number): number => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return state % below;
  };
  const to = () => ({ $ref: `#/definitions/D${draw(count)}` });
  const kinds: readonly (() => object)[] = [
    () => ({ type: "array", items: to(), maxItems: 5 }),
    () => ({ anyOf: [to(), to(), { type: "null" }] }),
    to,
    () => ({ type: "object", additionalProperties: to() }),
    () => ({ oneOf: [to(), to(), to()] }),
    () => ({ type: "integer", minimum: 0, maximum: 100 }),
    () => ({ allOf: [to()] }),
  ];
  const definition = (index: number): object => ({
    type: "object",
    required: ["kind", "id"],
    properties: {
      kind: { const: `k${index}` },
      id: { type: "string", minLength: 1, maxLength: 40 },
      ...Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`m${at}`, kinds[draw(kinds.length)]?.() ?? {}])),
    },
    ...(index % 3 === 0 ? { additionalProperties: false } : {}),
  });
  const definitions = Object.fromEntries(Array.from({ length: count }, (_, index) => [`D${index}`, definition(index)]));
  return { $schema: "http://json-schema.org/draft-07/schema#", definitions };
}
