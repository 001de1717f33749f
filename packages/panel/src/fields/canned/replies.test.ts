import { describe, expect, it } from 'vitest'
import { type CannedReply, findReplies } from './replies.ts'

const reply = (id: number, locale: CannedReply['locale'], title: string, text = 'x'): CannedReply => ({
  id,
  locale,
  title,
  text,
})
const replies = [
  reply(1, 'en', 'Greeting', 'Hello'),
  reply(2, 'ru', 'Приветствие', 'Здравствуйте'),
  reply(3, 'kaa', 'Sálemlesiw', 'Sálem'),
  reply(4, 'kaa', 'Jer', 'Sálem, jerińiz qay jerde?'),
  reply(5, 'uz', 'Oʻgʻit', 'Oʻgʻit'),
]
const ids = (query: string, language: CannedReply['locale']) =>
  findReplies(replies, query, language).map(({ id }) => id)

describe('canned replies', () => {
  it('lists canned replies in the language of the room first, then in the other languages', () => {
    expect(ids('', 'kaa')).toEqual([3, 4, 1, 2, 5])
    expect(ids('', 'ru')).toEqual([2, 1, 5, 3, 4])
  })

  it('ranks matches in the title of a reply before matches in the text, and ignores accents and apostrophes', () => {
    expect(ids('salem', 'kaa')).toEqual([3, 4])
    expect(ids("o'g'it", 'kaa')).toEqual([5])
    expect(ids('jer qay', 'kaa')).toEqual([4])
    expect(ids('nothing', 'kaa')).toEqual([])
  })
})
