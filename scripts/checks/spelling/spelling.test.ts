import { describe, expect, it } from 'vitest'
import { findMisspellings } from './rules.ts'
import { textsIn, variantsOf } from './texts.ts'

const labels = 'packages/model/src/labels'
const findIn = (file: string, content: string) => findMisspellings(textsIn(file, content))
const findInCatalogue = (locale: string, message: string) =>
  findIn(`${labels}/${locale}.json`, JSON.stringify({ 'a.key': message }))
const finding = (locale: string, word: string, fault: string) => [`${labels}/${locale}.json a.key: "${word}": ${fault}`]
const hung = 'an ending follows a placeholder: put a noun between them'

describe('the check of spelling', () => {
  it.each([
    ['kaa', 'a second spelling of a word, in any of its forms', 'Aldıńǵısın ashıw', 'Aldıńǵısın', 'write aldınǵı'],
    ['kaa', 'a second word for an idea', 'Jańa chatlar', 'chatlar', 'write sáwbet'],
    ['kaa', 'a word that is written apart', 'Heshkimge jiberilmeydi', 'Heshkimge', 'write hesh kim'],
    ['uz', 'a second word for an idea', 'Papkalarni ochish', 'Papkalarni', 'write jild'],
    ['uz', 'a word that is wrong as a label', 'Hammasi', 'Hammasi', 'write barchasi'],
    [
      'kaa',
      'an ending that disagrees with its stem',
      'Jańa rollar',
      'rollar',
      'the ending disagrees with its stem: rol-lar',
    ],
    ['uz', 'the dative of a stem in q', 'Qishloqga', 'Qishloqga', 'the ending disagrees with its stem: qishloq-ga'],
    ['kaa', 'an ending on a placeholder', '{name}ǵa juwap', '{…}ǵa', hung],
    ['kaa', 'an ending apart from a placeholder', '{time} da saqlandı', '{…} da', hung],
    ['kaa', 'an ending after a quoted placeholder', '«{name}» nıń teksti', '{…}» nıń', hung],
    [
      'kaa',
      'an ending on a placeholder in a branch of a plural',
      '{count, plural, one {{all} den biri} other {barlıǵı}}',
      '{…} den',
      hung,
    ],
    ['uz', 'an ending on the outcome of a plural', '{count, plural, one {# s} other {# s}}dan keyin', '{…}dan', hung],
    ['uz', 'an ending after a quoted placeholder', '“{name}”ni tiklash', '{…}”ni', hung],
    ['kaa', 'an apostrophe in Karakalpak', 'Jan’a', 'Jan’a', 'the alphabet of 2016 has no apostrophe'],
    ['kaa', 'a letter of another Latin alphabet', 'Aymağı', 'Aymağı', 'a letter of another alphabet'],
    ['kaa', 'quotation marks of Uzbek', '“Bazar', '“', 'quotation marks are « »'],
    ['uz', 'another apostrophe in Uzbek', "O'qish", "O'qish", 'oʻ and gʻ have U+02BB, the tutuq belgisi is U+02BC'],
    [
      'uz',
      'the sign of oʻ where the tutuq belgisi belongs',
      'Maʻlumot',
      'Maʻlumot',
      'U+02BB follows o and g only; the tutuq belgisi is U+02BC',
    ],
    ['uz', 'quotation marks of Karakalpak', '«Bozor', '«', 'quotation marks are “ ”'],
    ['uz', 'a Karakalpak letter in Uzbek', 'Narxlár', 'Narxlár', 'a letter of another alphabet'],
    ['kaa', 'a Cyrillic letter in a Latin word', 'Bаha', 'Bаha', 'Cyrillic letters'],
    ['uz', 'a Cyrillic letter in a Latin word', 'Nаrx', 'Nаrx', 'Cyrillic letters'],
    ['ru', 'a Latin letter in a Cyrillic word', 'Цeна', 'Цeна', 'Latin and Cyrillic letters in one word'],
    ['kaa', 'an ending apart from digits', 'Baha 0 den úlken', '0 den', 'an ending after digits has a hyphen'],
  ])('names key and word of a fault in %s: %s', (locale, _fault, message, word, fault) => {
    expect(findInCatalogue(locale, message)).toEqual(finding(locale, word, fault))
  })

  it.each([
    ['kaa', 'a noun between a placeholder and its ending', '«{name}» jazıwınıń teksti, {time} waqtında'],
    ['kaa', 'an ordinal with a hyphen', '{page}-bet, {count} danadan {place}-orın'],
    ['kaa', 'a word that begins like an ending', '{by} siz benen bólisti'],
    ['kaa', 'digits with a hyphen', '5-ten {score}'],
    ['kaa', 'the word ketekshe', '{count, plural, one {# ketekshe} other {# ketekshe}}'],
    ['uz', 'the counting word after a number', '{all} tadan {done} tasi'],
    ['uz', 'the word hammasi in a sentence', 'Hammasi avvalgidek.'],
    ['uz', 'both apostrophes', 'Oʻzbekcha maʼlumot, togʻ'],
    ['ru', 'a Latin word beside Cyrillic ones', 'PDF-файл и QR-код'],
  ])('accepts in %s: %s', (locale, _text, message) => {
    expect(findInCatalogue(locale, message)).toEqual([])
  })

  it('reads help texts, whose names of controls are filled in', () => {
    expect(findIn(`${labels}/help/kaa.json`, JSON.stringify({ 'news.1': '[field.active] nıń mánisi, chat' }))).toEqual([
      `${labels}/help/kaa.json news.1: "chat": write sáwbet`,
      `${labels}/help/kaa.json news.1: "{…} nıń": ${hung}`,
    ])
  })

  it('reads pages of the guide by line, without commands, addresses and anchors', () => {
    const page = '# Sáwbet {#chat}\n\n[Bet](chat.md), `chat --yaki`: {{nav.chats}} di basıń.'
    expect(findIn('docs/guide/kaa/chat.md', page)).toEqual([`docs/guide/kaa/chat.md line 3: "{…} di": ${hung}`])
  })

  it('reads the demonstration data by language, in data and in code', () => {
    const file = 'packages/server/src/seed/data/a.json'
    const content = {
      news: [{ title: { ru: 'chat', kaa: 'Jańa chat' } }],
      talks: [{ language: 'uz', category: 'chat', text: 'Yangi papka' }],
    }
    expect(findIn(file, JSON.stringify(content))).toEqual([
      `${file} news[0].title.kaa: "chat": write sáwbet`,
      `${file} talks[0].text: "papka": write jild`,
    ])
    const code = 'packages/server/src/seed/a.ts'
    expect(findIn(code, "text: {\n  kaa: '{{time}} ge shekem',\n}")).toEqual([`${code} line 2: "{…} ge": ${hung}`])
  })

  it('leaves other meanings of a word alone in the demonstration data', () => {
    const content = JSON.stringify({ title: { kaa: 'Taza ketek, jaqsı náwbet' } })
    expect(findIn('packages/server/src/seed/data/a.json', content)).toEqual([])
  })

  it('reads no other files', () => {
    expect(findIn('packages/server/src/seed/a.test.ts', "{ kaa: 'chat' }")).toEqual([])
    expect(findIn('docs/guide/en/chat.md', 'chat')).toEqual([])
  })
})

describe('variantsOf', () => {
  it('writes out every branch of a message, and marks what is filled in', () => {
    expect(variantsOf('{who}: {n, plural, one {# kún} other {# ay}}')).toEqual(['￼: ￼ kún￼', '￼: ￼ ay￼'])
  })
})
