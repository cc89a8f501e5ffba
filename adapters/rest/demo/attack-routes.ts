import { createHash, timingSafeEqual } from 'node:crypto';
import { isUuid } from '../../../domain/kernel/ids.ts';
import { NotaryError, notFound } from '../../../domain/kernel/errors.ts';
import type { HttpExchange } from '../../http/http-exchange.ts';
import type { HttpRoute } from '../../http/http-route.ts';

/** A database that lets itself be attacked: that of a demo. */
export interface AttackedDatabase<Attack extends NamedAttack> {
  readonly attacks: readonly Attack[];
  /** Which attack stands, counted from 1; null where none does. */
  readonly standingAttack: number | null;
  keepCopy(): Promise<void>;
  attack(attack: Attack, recordId: string): Promise<string | null>;
  restore(): Promise<boolean>;
}

export interface NamedAttack {
  readonly name: string;
  readonly title: string;
}

export interface AttackParts<Attack extends NamedAttack> {
  database(): AttackedDatabase<Attack>;
  /** Made for this one demo; whoever holds it may write its database. */
  readonly token: string;
  refuse(exchange: HttpExchange, cause: unknown): void;
}

/** What the Attack page of the console calls. Only the service of a demo has these routes, for its own machine. */
export const attackRoutes = <Attack extends NamedAttack>({
  database,
  token,
  refuse,
}: AttackParts<Attack>): readonly HttpRoute[] => {
  const route = (
    method: 'GET' | 'POST',
    path: string,
    answer: (params: HttpExchange['params']) => object | Promise<object>,
  ): HttpRoute => ({
    method,
    path,
    run: async (exchange) => {
      try {
        admit(exchange, token);
        exchange.reply({
          status: 200,
          headers: { 'Cache-Control': 'no-store' },
          body: await answer(exchange.params),
        });
      } catch (error) {
        refuse(exchange, error);
      }
    },
  });
  return [
    route('GET', '/demo/attacks', () => ({
      data: database().attacks.map(({ name, title }) => ({ name, title })),
      standing: database().standingAttack,
    })),
    route('POST', '/demo/copies', async () => {
      await database().keepCopy();
      return { kept: true };
    }),
    route('POST', '/demo/attacks/{name}/{recordId}', async ({ name, recordId = '' }) => {
      const attack = database().attacks.find((one) => one.name === name);
      if (!attack) throw notFound('attack');
      if (!isUuid(recordId)) throw notFound('record');
      const changed = await database().attack(attack, recordId);
      if (changed === null)
        throw new NotaryError(
          'CONFLICT',
          'The record has nothing that this attack could change: its chain is too short, or it is not there.',
        );
      return { changed, number: database().standingAttack, at: new Date().toISOString() };
    }),
    route('POST', '/demo/restorations', async () => ({ restored: await database().restore() })),
  ];
};

const admit = ({ request }: HttpExchange, token: string): void => {
  const given = /^Bearer (\S+)$/.exec(request.header('authorization') ?? '')?.[1] ?? '';
  const isLocal = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/.test(
    request.remoteAddress,
  );
  if (isLocal && isSame(given, token)) return;
  throw new NotaryError('UNAUTHORIZED', 'This needs the attack token that the demo printed.');
};

/** In a time that says nothing of the token. */
const isSame = (given: string, token: string): boolean => {
  const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
};
