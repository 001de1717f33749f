import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runInBoundedTime } from '../../testing/bounded-time.ts'
import { maskText, maskPrivate } from './mask.ts'

const names = ['Aygul', 'Oʻrinova', 'Berdaq qizi', 'aygul_90']

describe('masking private data', () => {
  it.each([
    ['Phone: +998 90 123-45-67.', 'Phone: •••.'],
    ['Tel 998901234567', 'Tel •••'],
    ['+998(90)1234567', '•••'],
    ['Мой номер 90 1234567, звоните', 'Мой номер •••, звоните'],
    ['90-123-45-67 yoki (93) 765 43 21', '••• yoki •••'],
    ['901234567', '•••'],
    ['8 (912) 345-67-89 и +7 912 345 67 89', '••• и •••'],
    ['+77011234567', '•••'],
    ['Uy telefoni 224-15-30', 'Uy telefoni •••'],
    ['Karta 8600 1234 5678 9012 yoki 8600123456789012', 'Karta ••• yoki •••'],
    ['9860-0101-2345-6789', '•••'],
    ['90 123 45 67 8600 1234 5678 9012', '••• •••'],
    ['Passport AA1234567, AB 7654321, aa1234567', 'Passport •••, •••, •••'],
    ['Паспорт АА № 1234567', 'Паспорт •••'],
    ['JSHSHIR 31234567890123', 'JSHSHIR •••'],
    ['ИНН 301234567, паспорт 4510 123456', 'ИНН •••, паспорт •••'],
    ['Hisob 20208000900123456001', 'Hisob •••'],
    ['aygul.o@example.org, почта иван@почта.рф', '•••, почта •••'],
    ['Telegram @aygul_90 или t.me/aygul90', 'Telegram ••• или •••'],
    ['https://dala.example.org/reset?code=abc123', '•••'],
    ['https://t.me/+AbCdEfGh123', '•••'],
    ['https://example.org/s/9f8e7d6c5b4a39281706f5e4', '•••'],
    ['token eyJhbGciOiJIUzI1NiIsInR5.eyJzdWIiOjF9.abc', 'token •••'],
  ])('masks the private data in %j', (text, expectedText) => expect(maskPrivate(text, [])).toBe(expectedText))

  it.each([
    ['Men Aygul Oʻrinova', 'Men ••• •••'],
    ["Aygulga ayting, O'rinovaning uyi", '••• ayting, ••• uyi'],
    ['Меня зовут Айгуль Уринова', 'Меня зовут ••• Уринова'],
    ['Передайте Айгуле Ориновой', 'Передайте ••• •••'],
    ['Айгүлдің, АЙГУЛЬ, aygul', '•••, •••, •••'],
    ['Berdaqtıń qizi', '••• qizi'],
  ])('masks the name of the customer in %j', (text, expectedText) =>
    expect(maskPrivate(text, names)).toBe(expectedText),
  )

  it.each([
    'Narxi 12 500 000 soʻm, 250 000 dan 90 000 000 gacha',
    '20.11.2026 soat 09:30 da, 2026-11-20',
    'На 1 гектар 250 кг, всего 1500000 сум',
    'на 1500000 сум',
    'Dori 10 ml 15 litr suvga, 2 marta 7-10 kunda',
    'N 46, P 30, K 60; 5-10-15',
    'https://agro.uz/uz/paxta va www.example.org/prices',
    'Ali baba, alifbo, oʻrik, berish kerak',
  ])('masks no private data in %j', (text) =>
    expect(maskPrivate(text, ['Ali Q', 'Oʻrinova'])).toBe(text.replace(/^Ali\b/u, maskText)),
  )

  it('masks every phone number, however its digits are separated', () => {
    const separators = fc.constantFrom(' ', '-', '', '.')
    const digits = fc.integer({ min: 0, max: 9_999_999 }).map((number) => String(number).padStart(7, '0'))
    const phone = fc
      .tuple(fc.constantFrom('', '+998', '998', '+998 '), fc.constantFrom('90', '(91)', '33', '61'), digits, separators)
      .map(
        ([country, code, localDigits, gap]) =>
          `${country}${code}${gap}${localDigits.slice(0, 3)}${gap}${localDigits.slice(3, 5)}${gap}${localDigits.slice(5)}`,
      )
    fc.assert(
      fc.property(phone, (number) => {
        expect(maskPrivate(`Ring ${number}, please`, [])).toBe('Ring •••, please')
      }),
    )
  })
  it.each([
    ['a link of hyphens', `https://agro.uz/${'-'.repeat(4_000)}.a`],
    ['hyphens', '-'.repeat(20_000)],
    ['letters', 'a'.repeat(20_000)],
  ])('masks %s in time proportional to the length of the text', (_what, text) => {
    expect(runInBoundedTime(() => maskPrivate(text, names))).toBe(text)
  })
  it('changes nothing in a text that is already masked', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('90+8 -()Aa@.Айгульʻ')) }), (text) => {
        const maskedText = maskPrivate(text, names)
        expect(maskPrivate(maskedText, names)).toBe(maskedText)
      }),
    )
  })
})
