/** What a file shows beside a step, as it stands in the file. */
export interface ShownEntry {
  readonly statement?: unknown;
  readonly evidence?: unknown;
  readonly content?: unknown;
}

/** The entries of the first record in an export, by position; none where the file is no export. */
export const shownEntries = (bytes: Uint8Array): ReadonlyMap<number, ShownEntry> => {
  const entries = new Map<number, ShownEntry>();
  for (const entry of entriesIn(new TextDecoder().decode(bytes))) {
    const position = isObject(entry) ? entry['position'] : undefined;
    // Of a tree the first record alone is told.
    if (typeof position !== 'number' || entries.has(position)) continue;
    entries.set(position, entry as ShownEntry);
  }
  return entries;
};

const entriesIn = (text: string): readonly unknown[] => {
  try {
    const document: unknown = JSON.parse(text);
    return listIn(listIn(document, 'records')[0] ?? document, 'chain', 'entries');
  } catch {
    return text.split('\n').flatMap((line) => {
      try {
        const row: unknown = JSON.parse(line);
        return isObject(row) && row['kind'] === 'entry' ? [row] : [];
      } catch {
        return [];
      }
    });
  }
};

const listIn = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  let at = value;
  for (const name of path) at = isObject(at) ? at[name] : undefined;
  return Array.isArray(at) ? at : [];
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
