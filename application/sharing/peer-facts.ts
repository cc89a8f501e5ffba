import type { Uuid } from '../../domain/kernel/ids.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';

/** Whose request was admitted: its signature holds and it is ACTIVE. */
export interface SendingPeer {
  readonly hubId: Uuid;
  readonly generation: number;
  /** The root of its vault, which stays for a registration. */
  readonly vaultRoot: string;
  /** Of the hub key that signed the request; nothing where the message came in an answer, which none signs. */
  readonly publicKeyThumbprint?: string;
}

/** How a message came: under the hub key's signature of a request, or in an answer, which no hub key signs. */
export type Carrier = 'request' | 'answer';

/** A body that was parsed by the strict reader and is an object; its shape is still to be checked. */
export type MessageBody = JsonObject;
