import * as oauth from 'oauth4webapi';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertSafeUrl } from '../fetch-input.ts';
import type { LoginSettings } from './profile.ts';
import { providerFetch } from './provider-fetch.ts';
import { ShellError } from './shell-error.ts';

/** What a person does elsewhere, in a browser. */
export interface DevicePrompt {
  readonly url: string;
  /** Where it is not a part of the address. */
  readonly code: string;
}

/** As long as the provider says, and no longer than this. */
const MAX_WAIT_SECONDS = 1_800;
const DEFAULT_INTERVAL_SECONDS = 5;
const MAX_INTERVAL_SECONDS = 60;
/** Longer than any that a person types. */
const MAX_CODE = 64;

/**
 * Gets a token by the device authorization grant (RFC 8628): the person signs in on any device, this one asks until it is done.
 *
 * @returns a JWT: the access token where it is one, else the ID token
 * @throws ShellError
 */
export const tokenByDevice = async (
  settings: LoginSettings,
  prompt: (shown: DevicePrompt) => void,
): Promise<string> => {
  const issuer = issuerOf(settings.issuer);
  // Plain HTTP was refused for other machines already.
  const options = {
    [oauth.allowInsecureRequests]: issuer.protocol === 'http:',
    [oauth.customFetch]: providerFetch,
  };
  try {
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...options }),
    );
    if (!server.device_authorization_endpoint)
      throw new ShellError(
        `The identity provider ${settings.issuer} has no device flow. Get a token in another way, and give it in NOTARY_OIDC_TOKEN, or on standard input with --token-stdin.`,
      );
    return await authorized(server, settings, prompt, options);
  } catch (error) {
    if (error instanceof ShellError) throw error;
    throw new ShellError(
      `The identity provider ${settings.issuer} gave no token: ${wordsOf(error)}.`,
      undefined,
      {
        cause: error,
      },
    );
  }
};

type Options = oauth.DeviceAuthorizationRequestOptions;

const authorized = async (
  server: oauth.AuthorizationServer,
  settings: LoginSettings,
  prompt: (shown: DevicePrompt) => void,
  options: Options,
): Promise<string> => {
  const client: oauth.Client = { client_id: settings.clientId };
  const auth = oauth.None();
  const { resource, audience } = settings;
  const meant = {
    ...(resource === null ? {} : { resource }),
    ...(audience === null ? {} : { audience }),
  };
  const scope = settings.scope ?? 'openid';
  const begun = await oauth.processDeviceAuthorizationResponse(
    server,
    client,
    await oauth.deviceAuthorizationRequest(server, client, auth, { scope, ...meant }, options),
  );
  prompt({
    url: pageOf(begun.verification_uri_complete ?? begun.verification_uri),
    code: begun.user_code.slice(0, MAX_CODE),
  });
  let interval = begun.interval ?? DEFAULT_INTERVAL_SECONDS;
  const end = Date.now() + Math.min(begun.expires_in, MAX_WAIT_SECONDS) * 1_000;
  while (Date.now() < end) {
    // A timer that is set to more than it can wait ends at once, and so would one of nothing.
    interval = Math.min(MAX_INTERVAL_SECONDS, Math.max(1, interval));
    await sleep(Math.min(interval * 1_000, end - Date.now()));
    const response = await oauth.deviceCodeGrantRequest(server, client, auth, begun.device_code, {
      additionalParameters: meant,
      ...options,
    });
    try {
      const tokens = await oauth.processDeviceCodeResponse(server, client, response);
      return jwtIn(tokens);
    } catch (error) {
      if (!(error instanceof oauth.ResponseBodyError)) throw error;
      // RFC 8628 section 3.5.
      if (error.error === 'slow_down') interval += 5;
      else if (error.error !== 'authorization_pending') throw error;
    }
  }
  throw new ShellError('Nobody signed in while the code was good. Run notary login again.');
};

/** What a person opens in a browser is a page, at a place that nobody listens on the way to. */
const pageOf = (text: string): string => {
  try {
    assertSafeUrl(text);
  } catch (cause) {
    throw new ShellError(
      `The identity provider names no page to sign in at: ${text.slice(0, 200)}`,
      1,
      { cause },
    );
  }
  return new URL(text).href;
};

const jwtIn = ({ access_token, id_token }: oauth.TokenEndpointResponse): string => {
  const found = [access_token, id_token].find((one) => one?.split('.').length === 3);
  if (found === undefined)
    throw new ShellError(
      'The identity provider gave a token that is no JWT. Name the audience that the notary expects with --resource or --audience, or ask for the scope openid.',
    );
  return found;
};

const issuerOf = (text: string): URL => new URL(text);

const wordsOf = (error: unknown): string => {
  if (error instanceof oauth.ResponseBodyError)
    return [error.error, error.error_description].filter(Boolean).join(', ');
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
};
