/**
 * The collation of every text: bytes are compared, and spaces at the end count, so that MySQL takes
 * the same texts for one as SQLite does. `utf8mb4_bin` would pad: 'build ' would be 'build'. MySQL
 * calls it utf8mb4_0900_bin (8.0.17 and later), MariaDB utf8mb4_nopad_bin.
 *
 * @throws Error if the server has neither.
 */
export const exactCollation = async (
  all: (sql: string) => Promise<readonly unknown[]>,
): Promise<string> => {
  const [found] = (await all(
    "SELECT collation_name AS name FROM information_schema.collations WHERE collation_name IN ('utf8mb4_nopad_bin', 'utf8mb4_0900_bin') ORDER BY collation_name DESC LIMIT 1",
  )) as readonly { readonly name: string }[];
  if (found) return found.name;
  throw new Error(
    'this server has no collation that compares texts byte by byte; it takes MySQL 8.0.17, MariaDB 10.2, or later',
  );
};
