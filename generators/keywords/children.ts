import type { Location } from "../model/model.ts";

// The members of a handler that depend only on how the keyword stores its subschemas.

type Relocate = (location: Location) => Location;

export const oneChild = {
  children: ({ node }: { node: Location }): Location[] => [node],
  relocate: <T extends { node: Location }>(keyword: T, relocate: Relocate): T => ({
    ...keyword,
    node: relocate(keyword.node),
  }),
} as const;

export const listedChildren = {
  children: ({ nodes }: { nodes: Location[] }): Location[] => nodes,
  relocate: <T extends { nodes: Location[] }>(keyword: T, relocate: Relocate): T => ({
    ...keyword,
    nodes: keyword.nodes.map(relocate),
  }),
} as const;

export const namedChildren = {
  children: ({ entries }: { entries: [name: string, node: Location][] }): Location[] => entries.map(([, node]) => node),
  relocate: <T extends { entries: [name: string, node: Location][] }>(keyword: T, relocate: Relocate): T => ({
    ...keyword,
    entries: keyword.entries.map(([name, node]) => [name, relocate(node)]),
  }),
} as const;
