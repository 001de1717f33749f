/** Classifies a failed save by what the user can do next. */
import { ApiError } from '../../../api/api-error.ts'
import type { Translate } from '../../../lib/format.ts'
import type { SaveStep } from './plan.ts'

/** Error of a save that stopped at one of its calls. */
export class StepError extends Error {
  readonly step: SaveStep
  readonly reason: unknown
  /** Whether the record itself was deleted, not only the language of the failed call. */
  readonly isGone: boolean
  constructor(step: SaveStep, reason: unknown, isGone = false) {
    super('A step of the save failed', { cause: reason })
    this.step = step
    this.reason = reason
    this.isGone = isGone
  }
}

/** The refusal of the server that stopped a save; undefined when something else did. */
export function refusalOf(error: unknown): ApiError | undefined {
  const reason = error instanceof StepError ? error.reason : error
  return reason instanceof ApiError ? reason : undefined
}

export type SaveFailure =
  /** Kind of failure when another user saved first. */
  | { kind: 'stale' }
  /** Kind of failure when the record was deleted, or only one of its other languages. */
  | { kind: 'gone'; isWhole: boolean }
  /** Kind of failure when the user lost the permission to write. */
  | { kind: 'denied'; error: ApiError }
  /**
   * Kind of failure when the server received too many requests: retry not before `until`, in milliseconds.
   */
  | { kind: 'busy'; until: number }
  /** Kind of failure when the server sent no response. */
  | { kind: 'network' | 'timeout' }
  /** Kind of failure when the save broke a rule, or the server failed. */
  | { kind: 'other'; error: ApiError | undefined }

/** Whether another user has saved the record, or has started the same language. */
export const isStale = ({ code }: ApiError): boolean => code === 'record.stale' || code === 'locale.used'

export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** The failure of a save; undefined when the errors at its fields explain it. */
export function failureOf(error: unknown): SaveFailure | undefined {
  if (!(error instanceof StepError)) return { kind: 'other', error: undefined }
  const { reason, isGone } = error
  if (!(reason instanceof ApiError)) return { kind: 'other', error: undefined }
  if (reason.unansweredReason) return { kind: reason.unansweredReason }
  if (isStale(reason)) return { kind: 'stale' }
  if (reason.status === 403) return { kind: 'denied', error: reason }
  if (reason.status === 404) return { kind: 'gone', isWhole: isGone }
  if (reason.retryTime !== undefined) return { kind: 'busy', until: reason.retryTime }
  return reason.issues.length > 0 ? undefined : { kind: 'other', error: reason }
}

/**
 * The reason why saving has to wait, or is impossible.
 *
 * @param wait - Seconds until the server may be asked again.
 * @param isGone - Whether the record was deleted.
 */
export function waitText(t: Translate, wait: number, isGone: boolean | undefined): string | undefined {
  if (isGone) return t('form.isGone')
  return wait > 0 ? t('form.serverBusy', { count: wait }) : undefined
}
