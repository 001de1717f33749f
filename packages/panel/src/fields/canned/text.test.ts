import { describe, expect, it } from 'vitest'
import { replyCallAt, fillVariables, openVariables, insertReply, paragraphsOf, shownTextOf } from './text.ts'

describe('calledAt', () => {
  it('finds the call of a canned reply at the start of a word', () => {
    expect(replyCallAt('/', 1)).toEqual({ query: '', start: 0, end: 1 })
    expect(replyCallAt('Salam /sho', 10)).toEqual({ query: 'sho', start: 6, end: 10 })
    expect(replyCallAt('Salam\n/sho', 10)?.query).toBe('sho')
    expect(replyCallAt('/two words', 10)?.query).toBe('two words')
  })

  it('reads the call of a canned reply only up to the cursor', () => {
    expect(replyCallAt('/sho rest', 4)).toEqual({ query: 'sho', start: 0, end: 4 })
  })

  it.each(['10/12', 'a / b', 'https://x', '/one\ntwo', '//'])('finds no call of a canned reply in %j', (text) => {
    expect(replyCallAt(text, text.length)).toBeUndefined()
  })
})

describe('variables of a canned reply', () => {
  it('fills the variables of a canned reply whose value is known', () => {
    const text = 'Salam, {{customer_name}}! {{ region }}, {{amount}}'
    const filledText = fillVariables(text, { customer_name: 'Aybek', region: 'Nókis', amount: undefined })
    expect(filledText).toBe('Salam, Aybek! Nókis, {{amount}}')
    expect(openVariables(filledText)).toEqual([{ name: 'amount', source: '{{amount}}', start: 21, end: 31 }])
  })

  it('does not look up a variable among inherited properties', () => {
    expect(fillVariables('{{constructor}}', {})).toBe('{{constructor}}')
  })

  it('inserts a value literally that contains replacement patterns', () => {
    expect(fillVariables('{{x}}', { x: "$& $1 $'" })).toBe("$& $1 $'")
  })
})

describe('putIn', () => {
  it('replaces the call by the reply and sets the cursor behind the inserted text', () => {
    expect(insertReply('Salam /sho rest', { start: 6, end: 10 }, 'Kel')).toEqual({ text: 'Salam Kel rest', cursor: 9 })
  })
})

describe('canned replies in a rich text', () => {
  it('divides a canned reply into paragraphs at empty lines, and into lines at line breaks', () => {
    expect(paragraphsOf('Salam!\nAybek\n \nSuw az.\n')).toEqual([['Salam!', 'Aybek'], ['Suw az.']])
  })
  it('finds open variables in the shown text of a rich text, not across its paragraphs', () => {
    const html = '<p>Salam, {{customer_name}} &amp; {{</p><p>amount}}</p><ul><li><p>{{ <b>dose</b> }}</p></li></ul>'
    expect(openVariables(shownTextOf(html)).map(({ name }) => name)).toEqual(['customer_name', 'dose'])
  })
})
