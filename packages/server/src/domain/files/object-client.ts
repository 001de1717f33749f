/** The client of an S3-compatible store: its options, and what its errors mean (decision 19). */
import type * as Sdk from '@aws-sdk/client-s3'
import { isObject } from '../../resources/read/context.ts'
import type { StoreSettings } from '../../settings.ts'

/** Timeouts of the object store in milliseconds, and the number of tries. */
export const storeTimeouts = {
  connectTimeout: 3_000,
  /** Maximum milliseconds without a byte on an open connection to the object store. */
  idle: 15_000,
  /**
   * Maximum milliseconds from a request to the object store, with all bytes of an upload, to the head of its
   * response.
   */
  answer: 60_000,
  attempts: 3,
  /** Milliseconds before the second try of an upload; doubled before the third. */
  pause: 200,
  /** Number of names on one page of the object store's list; stores return at most 1,000. */
  page: 1_000,
}
export type StoreTimeouts = typeof storeTimeouts

const ignoreLog = () => {}

/** Returns the status of the object store's answer; undefined without an answer. */
function statusOf(error: unknown): number | undefined {
  const metadata = isObject(error) ? error.$metadata : undefined
  const status = isObject(metadata) ? metadata.httpStatusCode : undefined
  return typeof status === 'number' ? status : undefined
}

/** Describes an error of the object store without keys and signatures, which its answers may repeat. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  const status = statusOf(error)
  return status === undefined ? code : `${code} (status ${status})`
}

/** Tells whether the object store has no file of a name; a missing bucket is another error. */
export const isMissing = (error: unknown) =>
  error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound')

/**
 * Tells whether another try of a request to the object store may succeed: not after a refusal, but after an
 * overload or a lost connection.
 */
export function isRetryable(error: unknown): boolean {
  const status = statusOf(error) ?? 500
  return status >= 500 || status === 429 || status === 408
}

/**
 * Returns the options of an object store's client.
 *
 * @param settings - The store and the key to it.
 * @param limits - Timeouts that differ from the usual ones.
 */
export function objectClientOptions(
  { endpoint, region, accessKeyId, secretAccessKey }: StoreSettings,
  limits: Partial<StoreTimeouts> = {},
): Sdk.S3ClientConfig {
  const { connectTimeout, idle, answer, attempts } = { ...storeTimeouts, ...limits }
  return {
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Bucket names as hosts need a certificate and a DNS record each, which few stores except Amazon have.
    forcePathStyle: true,
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connectTimeout,
      socketTimeout: idle,
      requestTimeout: answer,
      throwOnRequestTimeout: true,
    },
    // Many stores do not know Amazon's default checksums; Content-MD5 is known to all.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The client of the object store would write to the console; failures arrive as errors anyway.
    logger: { debug: ignoreLog, info: ignoreLog, warn: ignoreLog, error: ignoreLog },
    // The option of the object store is set here, so that no AWS_* variable of the machine changes it.
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
  }
}
