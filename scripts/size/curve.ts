/** The assertions that a run isolated within its deadline in seconds. */
export interface CurvePoint {
  seconds: number;
  isolated: number;
  /** Exit code of the command. */
  code: number | null;
  vectors: number;
}

/** The share by which two runs of the same length may differ. */
const noise = 0.02;
/** The share of its last value that a curve must reach halfway. */
const nearShare = 0.8;

/** Finds the faults of a curve over growing deadlines: a fall, a late rise, no vectors, or an exit code other than 0. */
export function faultsOf(points: readonly CurvePoint[]): string[] {
  const sortedPoints = points.toSorted((first, second) => first.seconds - second.seconds);
  const faults = sortedPoints.flatMap(({ seconds, code, vectors }) => [
    ...(vectors === 0 ? [`nothing is written within ${seconds} s`] : []),
    ...(code === 0 ? [] : [`exit ${code} at ${seconds} s`]),
  ]);
  for (const [index, { seconds, isolated }] of sortedPoints.entries()) {
    const previous = sortedPoints[index - 1];
    if (previous !== undefined && isolated < previous.isolated * (1 - noise))
      faults.push(`fewer at ${seconds} s than at ${previous.seconds}`);
  }
  const lastPoint = sortedPoints.at(-1);
  const halfway = sortedPoints.findLast(({ seconds }) => lastPoint !== undefined && seconds <= lastPoint.seconds / 2);
  if (lastPoint?.isolated === 0) faults.push("nothing is isolated in the end");
  if (lastPoint !== undefined && halfway !== undefined && halfway.isolated < nearShare * lastPoint.isolated)
    faults.push(`${Math.round((100 * halfway.isolated) / lastPoint.isolated)} % halfway`);
  return faults;
}

/** Makes definitions that refer to each other in cycles, with unions, as in MCP and ACP. The result depends only on their number. */
export function entangledDefinitions(count: number): object {
  let state = 12345;
  const draw = (below: number): number => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return state % below;
  };
  const anyReference = () => ({ $ref: `#/definitions/D${draw(count)}` });
  const kinds: readonly (() => object)[] = [
    () => ({ type: "array", items: anyReference(), maxItems: 5 }),
    () => ({ anyOf: [anyReference(), anyReference(), { type: "null" }] }),
    anyReference,
    () => ({ type: "object", additionalProperties: anyReference() }),
    () => ({ oneOf: [anyReference(), anyReference(), anyReference()] }),
    () => ({ type: "integer", minimum: 0, maximum: 100 }),
    () => ({ allOf: [anyReference()] }),
  ];
  const definition = (index: number): object => ({
    type: "object",
    required: ["kind", "id"],
    properties: {
      kind: { const: `k${index}` },
      id: { type: "string", minLength: 1, maxLength: 40 },
      ...Object.fromEntries(
        Array.from({ length: 6 }, (_, memberIndex) => [`m${memberIndex}`, kinds[draw(kinds.length)]?.() ?? {}]),
      ),
    },
    ...(index % 3 === 0 ? { additionalProperties: false } : {}),
  });
  const definitions = Object.fromEntries(Array.from({ length: count }, (_, index) => [`D${index}`, definition(index)]));
  return { $schema: "http://json-schema.org/draft-07/schema#", definitions };
}
