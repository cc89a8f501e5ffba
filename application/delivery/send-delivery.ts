import { CONNECT_MS, KEPT_BYTES, TOTAL_MS, type Outcome } from '../../domain/delivery/attempt.ts';
import {
  CONTENT_TYPES,
  deliveryBody,
  type DeliveredEvent,
  type DeliveredType,
} from '../../domain/delivery/delivery-body.ts';
import type { Queued, Signed } from '../../domain/delivery/delivery.ts';
import type { Subscription } from '../../domain/delivery/subscription.ts';
import { sha256, toHex } from '../../domain/kernel/digest.ts';
import type { SentSpan, Tracer } from '../ports/tracer.port.ts';
import type { Vault } from '../sealing/vault.ts';
import { EgressRefused, type EgressPost } from '../ports/egress-post.port.ts';
import {
  pushBody,
  pushHeaders,
  type PushSecrets,
  type TaskUpdateForm,
} from './push-notification.ts';
import {
  DeliverySigningError,
  type AttemptToSign,
  type SignDelivery,
} from './sign-delivery.port.ts';
import type { WebhookSecrets } from './webhook-secrets.port.ts';

export type SentEvent = Omit<DeliveredEvent, 'type'> & {
  readonly type: DeliveredType;
  readonly traceparent?: string;
};

/** An attempt that is ready to leave: what is committed of it, and its headers. */
export interface Ready extends Signed {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly eventType: DeliveredType;
  /** Of the call that caused the event, where that was traced. */
  readonly traceparent: string | undefined;
}

export type WithheldReason = Extract<Outcome, { readonly kind: 'withheld' }>['reason'];

export interface Sent {
  readonly outcome: Outcome;
  readonly responseBody: string | null;
}

/** Builds an attempt anew from its event, signs it, and sends it. */
export class SendDelivery {
  constructor(
    private readonly signer: SignDelivery,
    private readonly secrets: WebhookSecrets,
    private readonly egress: EgressPost,
    private readonly publicUrl: string,
    private readonly vault: Pick<Vault, 'refreshIfRotated'>,
    private readonly taskUpdate: () => Promise<TaskUpdateForm>,
    /** Null: deliveries are not traced. */
    private readonly tracer: Pick<Tracer, 'sent'> | null = null,
  ) {}

  /** Before attempts are prepared: another node may have rotated the key that signs them. */
  async settle({ scheme }: Pick<Subscription, 'scheme'>): Promise<void> {
    if (scheme !== 'hmac') await this.vault.refreshIfRotated();
  }

  /** @param at ISO 8601. @returns why it cannot be signed, where it cannot. */
  async prepare(
    subscription: Subscription,
    queued: Pick<Queued, 'id' | 'eventSequence'>,
    event: SentEvent,
    at: string,
  ): Promise<Ready | WithheldReason> {
    const { url, orgId, format, scheme } = subscription;
    if (format === 'a2a') return this.preparePush(subscription, queued, event, at);
    const secrets = this.secretsOf(subscription, at);
    if (secrets === null) return 'secret_undecryptable';
    const body = deliveryBody(
      event,
      { subscriptionId: subscription.id, orgId, url, format, eventSequence: queued.eventSequence },
      this.publicUrl,
    );
    try {
      const headers = await this.signer.headersOf({
        deliveryId: queued.id,
        eventId: event.id,
        eventType: event.type,
        eventSequence: queued.eventSequence,
        body,
        at,
        scheme,
        secrets,
      });
      return {
        id: queued.id,
        url,
        body,
        bodyHash: toHex(sha256(body)),
        headers: { 'Content-Type': CONTENT_TYPES[format], ...headers },
        signature: headers['X-Service-Signature'] ?? headers['Signature'] ?? '',
        ...originOf(event),
      };
    } catch (error) {
      if (error instanceof DeliverySigningError) return error.code;
      throw error;
    }
  }

  /** A push notification: its receiver knows the sender by token and credentials. It is signed by whatever key is active. */
  private async preparePush(
    subscription: Subscription,
    { id, eventSequence }: Pick<Queued, 'id' | 'eventSequence'>,
    event: SentEvent,
    at: string,
  ): Promise<Ready | WithheldReason> {
    const { url, scheme, recordId, push } = subscription;
    if (recordId === null || push === null || event.type === 'webhook.ping')
      throw new TypeError('a push notification is of a record, and of an event');
    const { type: eventType } = event;
    const secrets = this.pushSecretsOf(subscription);
    if (secrets === null) return 'secret_undecryptable';
    const body = pushBody(
      { ...subscription, recordId, push },
      { ...event, type: eventType },
      eventSequence,
      await this.taskUpdate(),
    );
    const headers = await this.signedByAny({
      deliveryId: id,
      eventId: event.id,
      eventType,
      eventSequence,
      body,
      at,
      scheme,
      secrets: [],
    });
    return {
      id,
      url,
      body,
      bodyHash: toHex(sha256(body)),
      headers: { ...headers, ...pushHeaders(push, secrets) },
      signature: headers['Signature'] ?? '',
      ...originOf(event),
    };
  }

  /** Nobody has chosen the scheme of a push notification, so one of another algorithm does as well. */
  private async signedByAny(attempt: AttemptToSign): Promise<Record<string, string>> {
    try {
      return await this.signer.headersOf(attempt);
    } catch (error) {
      if (!(error instanceof DeliverySigningError)) throw error;
      return this.signer.headersOf({ ...attempt, scheme: error.usable });
    }
  }

  private pushSecretsOf({ id, secret }: Subscription): PushSecrets | null {
    if (secret === null) return {};
    const opened = this.secrets.open(secret, id);
    return opened === null ? null : (JSON.parse(opened) as PushSecrets);
  }

  async send(ready: Ready): Promise<Sent> {
    const { traceparent, eventType } = ready;
    if (!this.tracer || traceparent === undefined) return this.post(ready);
    const span = this.tracer.sent('deliver', traceparent, {
      'http.request.method': 'POST',
      'notary.event.type': eventType,
    });
    const sent = await this.post(ready, span.traceparent);
    end(span, sent.outcome);
    return sent;
  }

  private async post({ url, headers, body }: Ready, traceparent?: string): Promise<Sent> {
    try {
      const answer = await this.egress.post('WEBHOOK', url, {
        headers: traceparent === undefined ? headers : { ...headers, traceparent },
        body,
        connectMs: CONNECT_MS,
        totalMs: TOTAL_MS,
        keepBytes: KEPT_BYTES,
      });
      const { status, retryAfterSeconds } = answer;
      return {
        outcome: { kind: 'answered', status, retryAfterSeconds },
        responseBody: answer.body,
      };
    } catch (error) {
      // A name that leads to a private address looks like one that does not exist: callers learn no internal names.
      if (error instanceof EgressRefused && !error.resolvedName)
        return { outcome: { kind: 'withheld', reason: 'address_refused' }, responseBody: null };
      return { outcome: { kind: 'unreachable' }, responseBody: null };
    }
  }

  /** Newest first; empty of the asymmetric schemes. Null where the newest cannot be opened. */
  private secretsOf(
    { id, scheme, secret, previousSecret, previousSecretUntil }: Subscription,
    at: string,
  ): readonly string[] | null {
    if (scheme !== 'hmac') return [];
    const newest = secret && this.secrets.open(secret, id);
    if (!newest) return null;
    const isInGrace = previousSecretUntil !== null && at < previousSecretUntil;
    const previous = isInGrace && previousSecret ? this.secrets.open(previousSecret, id) : null;
    return previous ? [newest, previous] : [newest];
  }
}

const end = (span: SentSpan, outcome: Outcome): void => {
  if (outcome.kind !== 'answered') span.end({ 'error.type': outcome.kind }, outcome.kind);
  else {
    const { status } = outcome;
    const isTaken = status >= 200 && status < 300;
    span.end({ 'http.response.status_code': status }, isTaken ? undefined : String(status));
  }
};

const originOf = ({ type, traceparent }: SentEvent): Pick<Ready, 'eventType' | 'traceparent'> => ({
  eventType: type,
  traceparent,
});
