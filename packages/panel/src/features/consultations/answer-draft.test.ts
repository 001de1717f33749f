import { describe, expect, it } from 'vitest'
import { answerDraft } from './answer-draft.ts'

const storedAnswer = { text: '<p>Water in May</p>', version: 3, before: '' }

describe('answerDraft', () => {
  it.each([
    ['an older panel stored', JSON.stringify(storedAnswer), storedAnswer],
    ['has no version', '{"text":"Water"}', undefined],
    ['is a list', '[]', undefined],
    ['is cut off', '{"text":"Wat', undefined],
  ])('reads the draft of an answer that %s', (_what, text, expected) => {
    localStorage.setItem('draft/answer/1/7', text)
    expect(answerDraft(1, 7).read()).toEqual(expected)
  })

  it('stores the draft of an answer by author and question', () => {
    answerDraft(1, 7).write(storedAnswer)
    expect([answerDraft(2, 7).read(), answerDraft(1, 8).read()]).toEqual([undefined, undefined])
  })
})
