import type { Location } from "../model/model.ts";

// How keywords contain their schemas.

type To = (location: Location) => Location;

export const oneChild = {
  children: ({ node }: { node: Location }): Location[] => [node],
  moved: <T extends { node: Location }>(keyword: T, to: To): T => ({ ...keyword, node: to(keyword.node) }),
} as const;

export const listedChildren = {
  children: ({ nodes }: { nodes: Location[] }): Location[] => nodes,
  moved: <T extends { nodes: Location[] }>(keyword: T, to: To): T => ({ ...keyword, nodes: keyword.nodes.map(to) }),
} as const;

export const namedChildren = {
  children: ({ entries }: { entries: [name: string, node: Location][] }): Location[] => entries.map(([, node]) => node),
  moved: <T extends { entries: [name: string, node: Location][] }>(keyword: T, to: To): T => ({
    ...keyword,
    entries: keyword.entries.map(([name, node]) => [name, to(node)]),
  }),
} as const;
