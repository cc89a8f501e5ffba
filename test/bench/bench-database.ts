import { createConnection } from 'mysql2/promise';

const SECRET = Buffer.alloc(32, 7).toString('base64');

/** A new database on a server of MySQL, with what a service needs to start on it. */
export const benchDatabase = async (
  serverUrl: string,
): Promise<{ env: Readonly<Record<string, string>>; drop: () => Promise<void> }> => {
  const name = `notary_bench_${Date.now()}`;
  const connection = await createConnection(serverUrl);
  await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    env: {
      DATABASE_URL: url.href,
      API_KEY_PEPPER: SECRET,
      SECRETS_KEY: SECRET,
      SIGNER_KEK: SECRET,
    },
    drop: async () => {
      await connection.query(`DROP DATABASE ${name}`);
      await connection.end();
    },
  };
};
