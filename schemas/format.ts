/** The address of the schema of one of our own formats, such as `report`: the `$schema` of files in the format. */
export function formatAddress(format: string): string {
  return `https://touchstone.example/schemas/touchstone/${format}.schema.json`;
}
