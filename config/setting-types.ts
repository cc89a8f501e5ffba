import { resolve } from 'node:path';
import { FILE_PARAMETERS, mysqlTarget } from '../adapters/sql/mysql/mysql-url.ts';
import { exactUrl } from '../domain/kernel/exact-url.ts';

/** The parsed value, perhaps with a warning, or the reason why the text is refused. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T; readonly warning?: string }
  | { readonly ok: false; readonly message: string };

/** One setting. `T` is the type that the rest of the program sees. */
export interface Setting<T> {
  readonly type:
    'string' | 'integer' | 'ratio' | 'boolean' | 'enum' | 'url' | 'list' | 'path' | 'keys';
  readonly description: string;
  readonly unit: string | null;
  readonly secret: boolean;
  /** The value where the setting is not given. */
  readonly fallback: T;
  /**
   * Shown in the documentation instead of `fallback`, where the default depends on other settings.
   */
  readonly defaultText: string | null;
  /** The accepted values, in words. */
  readonly allowed: string;
  /** `cwd` is what relative paths start from. */
  parse(text: string, cwd: string): Parsed<T>;
}

interface Common<T> {
  readonly description: string;
  readonly default: T;
  readonly defaultText?: string;
}

export const text = (
  row: Common<string> & { readonly pattern: RegExp; readonly allowed: string },
): Setting<string> => ({
  ...base('string', row, row.allowed),
  parse: (value) => (row.pattern.test(value) ? good(value) : bad(row.allowed, value)),
});

export const choice = <const V extends string>(
  row: Common<NoInfer<V>> & { readonly values: readonly V[] },
): Setting<V> => {
  const allowed = `one of ${row.values.join(', ')}`;
  return {
    ...base('enum', row, allowed),
    parse: (value) => {
      const found = row.values.find((candidate) => candidate === value);
      return found === undefined ? bad(allowed, value) : good(found);
    },
  };
};

interface Range {
  readonly min: number;
  readonly max: number;
  readonly unit?: string;
  /**
   * Whether a value outside the range is moved to its edge with a warning. Otherwise it is refused.
   */
  readonly clamp?: true;
}

export const integer = (row: Common<number> & Range): Setting<number> =>
  number('integer', row, (value) => /^[+-]?\d{1,15}$/.test(value));

/** A whole number that may be left out. */
export const optionalInteger = (row: Common<null> & Range): Setting<number | null> => {
  const inner = integer({ ...row, default: row.min });
  return {
    ...inner,
    fallback: null,
    defaultText: row.defaultText ?? 'unset',
    parse: (value, cwd) => inner.parse(value, cwd),
  };
};

export const ratio = (row: Common<number> & Range): Setting<number> =>
  number('ratio', row, (value) => /^[+-]?\d{1,9}(\.\d{1,9})?$/.test(value));

export const url = (
  row: Common<string> & { readonly protocols: readonly string[] },
): Setting<string> => {
  const allowed = `a URL with ${row.protocols.join(' or ')}, without credentials, query or fragment, and not on port 0`;
  return {
    ...base('url', row, allowed),
    parse: (value) => {
      const parsed = exactUrl(value);
      const plain =
        parsed &&
        row.protocols.includes(parsed.protocol) &&
        !parsed.username &&
        !parsed.password &&
        !parsed.search &&
        !parsed.hash &&
        parsed.port !== '0';
      return plain ? good(value.replace(/\/+$/, '')) : bad(allowed, null); // not echoed: it may hold a password
    },
  };
};

/**
 * `sqlite://` and a file path, or `mysql://user:password@host:port/database`. Never echoed: it may
 * hold a password.
 */
export const databaseUrl = (row: Common<string>): Setting<string> => {
  const allowed =
    'sqlite://<file path> or mysql://user:password@host:port/database, for TLS with ?ssl=true, and &ssl-ca=<file> where the authority is not a public one';
  return {
    ...base('url', row, allowed),
    parse: (value, cwd) => {
      const file = /^sqlite:\/\/(.+)$/.exec(value)?.[1];
      if (file !== undefined) return good(`sqlite://${resolve(cwd, file)}`);
      const parsed = URL.canParse(value) ? new URL(value) : null;
      if (parsed?.protocol !== 'mysql:') return bad(allowed, null);
      try {
        mysqlTarget(value);
      } catch (error) {
        return { ok: false, message: (error as TypeError).message };
      }
      const files = FILE_PARAMETERS.filter((name) => parsed.searchParams.has(name));
      for (const name of files)
        parsed.searchParams.set(name, resolve(cwd, parsed.searchParams.get(name)!));
      return good(files.length === 0 ? value : parsed.href);
    },
  };
};

/** A Redis server. Never echoed: it may hold a password. */
export const redisUrl = (row: Common<string>): Setting<string> => {
  const allowed =
    'redis://user:password@host:port/database, or rediss:// for TLS; all but the host may be left out';
  return {
    ...base('url', row, allowed),
    parse: (value) => {
      const parsed = URL.canParse(value) ? new URL(value) : null;
      const isRight =
        parsed !== null &&
        ['redis:', 'rediss:'].includes(parsed.protocol) &&
        parsed.hostname !== '' &&
        /^(?:\/\d{0,3})?$/.test(parsed.pathname) &&
        parsed.search === '' &&
        parsed.hash === '';
      return isRight ? good(value) : bad(allowed, null);
    },
  };
};

/** Comma-separated; each item is checked. */
export const list = (
  row: Common<readonly string[]> & {
    readonly item: (text: string) => boolean;
    readonly items: string;
  },
): Setting<readonly string[]> => {
  const allowed = `a comma-separated list of ${row.items}`;
  return {
    ...base('list', row, allowed),
    parse: (value) => {
      const items = split(value);
      const wrong = items.filter((item) => !row.item(item));
      return wrong.length > 0 ? bad(allowed, wrong.join(', ')) : good(items);
    },
  };
};

/** A path, made absolute. */
export const path = (row: Common<string>): Setting<string> => ({
  ...base('path', row, 'a path; a relative one starts at the working directory'),
  parse: (value, cwd) => (value.includes('\0') ? bad('a path', null) : good(resolve(cwd, value))),
});

/** Secret keys, newest first. Null where unset; never echoed. */
export const secretKeys = (row: {
  readonly description: string;
  readonly several: boolean;
}): Setting<readonly Uint8Array[] | null> => {
  const form = 'at least 32 bytes as base64, base64url or hex';
  const allowed = row.several
    ? `comma-separated keys, newest first, each ${form}`
    : `one key, ${form}`;
  return {
    ...base(
      'keys',
      {
        description: row.description,
        default: null,
        defaultText: 'made at the first start, in KEYS_DIR',
      },
      allowed,
    ),
    secret: true,
    parse: (value) => {
      const keys = parseSecretKeys(value);
      if (keys === null || (!row.several && keys.length > 1))
        return { ok: false, message: `must be ${allowed}. Make one with: openssl rand -base64 32` };
      return good(keys);
    },
  };
};

/** A password or a token; never echoed. */
export const secretText = (row: { readonly description: string }): Setting<string> => {
  const allowed = 'a text of at most 4096 characters without line breaks';
  return {
    ...base('string', { ...row, default: '', defaultText: 'unset' }, allowed),
    secret: true,
    parse: (value) =>
      /^[^\r\n\0]{1,4096}$/.test(value.trimEnd()) ? good(value.trimEnd()) : bad(allowed, null),
  };
};

/** A port, or none at all. '' where it depends on other settings. */
export const portOrOff = (row: Common<''>): Setting<number | 'off' | ''> => {
  const allowed = 'a whole number from 0 to 65535, or off';
  return {
    ...base<number | 'off' | ''>('integer', row, allowed),
    parse: (value) => {
      if (value === 'off') return good(value);
      return /^\d{1,5}$/.test(value) && Number(value) <= 65_535
        ? good(Number(value))
        : bad(allowed, value);
    },
  };
};

/** A private key in PEM; never echoed. */
export const privateKeyPem = (row: { readonly description: string }): Setting<string> => {
  const allowed = 'a private key in PEM, without a password';
  return {
    ...base('string', { ...row, default: '', defaultText: 'unset' }, allowed),
    secret: true,
    parse: (value) => (PRIVATE_KEY.test(value.trim()) ? good(value.trim()) : bad(allowed, null)),
  };
};

const PRIVATE_KEY =
  /^-----BEGIN (?:RSA |EC )?PRIVATE KEY-----[A-Za-z0-9+\/=\s]{1,16384}-----END (?:RSA |EC )?PRIVATE KEY-----$/;

/** Null unless every item is a key of at least 32 bytes and no item occurs twice. */
export const parseSecretKeys = (value: string): readonly Uint8Array[] | null => {
  const items = split(value);
  const keys = items.map(parseSecretKey);
  return keys.length > 0 &&
    keys.every((key) => key !== null) &&
    new Set(items).size === items.length
    ? keys
    : null;
};

const parseSecretKey = (value: string): Uint8Array | null => {
  // Checked first, because hex is also valid base64, and a short key would pass as a long one.
  const hex = /^[0-9a-f]+$/i.test(value);
  if (hex ? value.length % 2 !== 0 : !/^[A-Za-z0-9+/_-]+={0,2}$/.test(value)) return null;
  const bytes = Buffer.from(value, hex ? 'hex' : 'base64');
  return bytes.length >= 32 ? Uint8Array.from(bytes) : null;
};

export const split = (value: string): readonly string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const number = (
  type: 'integer' | 'ratio',
  row: Common<number> & Range,
  form: (value: string) => boolean,
): Setting<number> => {
  const kind = type === 'integer' ? 'a whole number' : 'a decimal number';
  const allowed = `${kind} from ${row.min} to ${row.max}`;
  return {
    ...base(type, row, allowed),
    unit: row.unit ?? null,
    parse: (value) => {
      if (!form(value)) return bad(allowed, value);
      const parsed = Number(value);
      const clamped = Math.min(Math.max(parsed, row.min), row.max);
      if (clamped === parsed) return good(parsed);
      return row.clamp
        ? {
            ok: true,
            value: clamped,
            warning: `${value} is outside ${row.min} to ${row.max}; ${clamped} is used`,
          }
        : bad(allowed, value);
    },
  };
};

export const base = <T>(
  type: Setting<T>['type'],
  row: Common<T>,
  allowed: string,
): Omit<Setting<T>, 'parse'> => ({
  type,
  description: row.description,
  unit: null,
  secret: false,
  fallback: row.default,
  defaultText: row.defaultText ?? null,
  allowed,
});

export const good = <T>(value: T): Parsed<T> => ({ ok: true, value });

export const bad = (
  allowed: string,
  value: string | null,
): { readonly ok: false; readonly message: string } => ({
  ok: false,
  message:
    value === null
      ? `must be ${allowed}`
      : `must be ${allowed}, not ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)}`,
});
