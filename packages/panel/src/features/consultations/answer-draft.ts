/** Draft of an answer, stored in this browser for its author. */
import { createDraft, type StoredDraft } from '../../lib/drafts/draft-store.ts'
import { isObject } from '../../lib/is-object.ts'

export interface AnswerDraft {
  text: string
  /** Version of the consultation that the draft of the answer is based on. */
  version: number
  /** Stored answer in the version that the draft is based on. */
  before: string
}

function parseAnswer(storedValue: unknown): AnswerDraft | undefined {
  if (!isObject(storedValue)) return undefined
  const { text, version, before } = storedValue
  return typeof text === 'string' && typeof version === 'number' && typeof before === 'string'
    ? { text, version, before }
    : undefined
}

/** Draft of the answer to a consultation. */
export const answerDraft = (user: number, id: number): StoredDraft<AnswerDraft> =>
  createDraft(`draft/answer/${user}/${id}`, parseAnswer)
