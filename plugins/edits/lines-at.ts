/** The numbers, from 1, of the lines that hold places in a text. The places are in order. */
export function linesAt(text: string, places: readonly number[]): number[] {
  let line = 1;
  let next = text.indexOf("\n");
  return places.map((place) => {
    for (; next !== -1 && next < place; next = text.indexOf("\n", next + 1)) line++;
    return line;
  });
}
