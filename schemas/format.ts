/** The address of the schema of one of our own formats, such as `report`: what files of the format have as `$schema`. */
export function formatAddress(format: string): string {
  return `https://touchstone.example/schemas/touchstone/${format}.schema.json`;
}
