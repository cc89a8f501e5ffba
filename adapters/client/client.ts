/** What `notary-service/client` offers. */
export { capture, CaptureError, type Capture, type CaptureOptions } from './capture/capture.ts';
export { captureManifest, type CapturedRecord } from './capture/captured-call.ts';
export { REDACTED, type Redact } from './capture/redaction.ts';
export { certificateFor, type IssuedCertificate } from './certificate.ts';
export { coSign, type CoSignatureHeaders, type RequestToSign } from './co-sign.ts';
export type { CertificateCredential, Credential, CredentialSource } from './credential.ts';
export { metaOf, type Meta } from './meta.ts';
export { NotaryClient, type NotaryClientSettings } from './notary-client.ts';
export { isUnavailable, NotaryProblem, NotaryUnreachable } from './notary-problem.ts';
export type { Page, Pages } from './pages.ts';
export type { RetryPolicy } from './retry.ts';
export type {
  AnswerOf,
  BodyOf,
  NewRecord,
  NextStep,
  NotaryRecord,
  ProblemCode,
  ProblemDocument,
  QueryOf,
  Schemas,
  SealedRecord,
  VerificationKeys,
} from './shapes.ts';
export type { CallOptions } from './transport.ts';
export {
  verifyWebhook,
  WebhookRefusal,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookOptions,
  type WebhookTrust,
} from './verify-webhook.ts';
