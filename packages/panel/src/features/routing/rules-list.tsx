/** The screen of the rules of routing: the list in order, with a question to try beside it. */
import type { FormSlots, ListSlots } from '../../resource/screen-parts.ts'
import { TryQuestionButton, TryQuestionSheet } from './try-question.tsx'

export const rulesList: ListSlots = { Beside: TryQuestionSheet, Actions: TryQuestionButton }

/** The form of a routing rule: the field `person` is shown only for rules that name a person. */
export const ruleForm: FormSlots = {
  isShown: (name, sharedValues) => name !== 'person' || sharedValues['action'] === 'person',
}
