import { describe, expect, it } from 'vitest'
import { findDiscord, findUzbekDiscord } from './harmony.ts'

describe('findDiscord', () => {
  it.each([
    // Plural.
    ['kitaplar', undefined],
    ['kitapler', 'kitap-ler'],
    ['sáwbetler', undefined],
    ['sáwbetlar', 'sáwbet-lar'],
    // Dative.
    ['balaǵa', undefined],
    ['balage', 'bala-ge'],
    ['xabarǵa', undefined],
    ['kitapqa', undefined],
    ['kitapke', 'kitap-ke'],
    ['betke', undefined],
    ['betqa', 'bet-qa'],
    ['atına', undefined],
    ['atıne', 'atı-ne'],
    // Genitive.
    ['ayınıń', undefined],
    ['adamniń', 'adam-niń'],
    ['iyunnıń', undefined],
    ['marttıń', undefined],
    ['marttiń', 'mart-tiń'],
    ['apreldiń', undefined],
    ['apreldıń', 'aprel-dıń'],
    // Locative and ablative.
    ['úyde', undefined],
    ['úyda', 'úy-da'],
    ['bazarda', undefined],
    ['kestete', undefined],
    ['sózden', undefined],
    ['sózdan', 'sóz-dan'],
    ['ónimnen', undefined],
    ['ónimnan', 'ónim-nan'],
    // Accusative and possessive.
    ['bloktı', undefined],
    ['blokti', 'blok-ti'],
    ['tilin', undefined],
    ['tilın', 'til-ın'],
    // An ending before the last one.
    ['kitaplerde', 'kitap-ler'],
    ['sáwbetlarda', 'sáwbet-lar'],
    // The first consonant of an ending follows the last sound of the stem.
    ['kitapda', 'kitap-da'],
    ['betge', 'bet-ge'],
    ['jastan', undefined],
    ['jasdan', 'jas-dan'],
    // Loans whose endings are front or back against their last vowel.
    ['rolge', undefined],
    ['rolǵa', 'rol-ǵa'],
    ['Roller', undefined],
    ['Rollar', 'rol-lar'],
    ['rollardıń', 'rol-lar'],
    ['parolden', undefined],
    ['parolińizdi', undefined],
    ['menyuge', undefined],
    ['Menyuǵa', 'menyu-ǵa'],
    ['tariyxtı', undefined],
    ['cifrlı', undefined],
    // Words whose last letters only look like an ending.
    ['mashina', undefined],
    ['mashinage', 'mashina-ge'],
    ['Ferǵana', undefined],
    ['kabinetinen', undefined],
    // The ending ki is always the same.
    ['topardıki', undefined],
    ['adamdikinen', 'adam-di'],
    // Í is the capital of ı; a word that begins with I decides nothing by it.
    ['Íssıda', undefined],
    ['Íssıde', 'ıssı-de'],
    ['Issıda', undefined],
    ['Iyulde', undefined],
    // Words without an ending or without a vowel.
    ['da', undefined],
    ['MB', undefined],
  ])('decides the endings of %s: %s', (word, discord) => {
    expect(findDiscord(word)).toBe(discord)
  })
})

describe('findUzbekDiscord', () => {
  it.each([
    ['bozorga', undefined],
    ['yurakka', undefined],
    ['yurakga', 'yurak-ga'],
    ['tovuqqacha', undefined],
    ['tovuqgacha', 'tovuq-gacha'],
    ['bogʻga', undefined],
    ['qishloqga', 'qishloq-ga'],
  ])('decides the dative of %s: %s', (word, discord) => {
    expect(findUzbekDiscord(word)).toBe(discord)
  })
})
