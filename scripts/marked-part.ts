/** The text with the part between its marks `<!-- NAME -->` and `<!-- /NAME -->` replaced. Throws if they are missing. */
export function replaceMarked(text: string, name: string, content: string): string {
  const between = new RegExp(`(?<=<!-- ${name} -->\\n)[\\s\\S]*?(?=<!-- /${name} -->)`);
  if (!between.test(text)) throw new Error(`there is no <!-- ${name} --> with a <!-- /${name} --> below it`);
  return text.replace(between, () => `${content}\n`);
}
