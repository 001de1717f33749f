import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { convertMarkup, inScript, toCyrillic, toLatin } from './convert.ts'
import { scriptLocales, scripts } from './scripts.ts'

/** Words whose two spellings follow from each other, both ways. */
const uzbekPairs: readonly (readonly [latin: string, cyrillic: string])[] = [
  ['oʻzbekcha', 'ўзбекча'],
  ['togʻ', 'тоғ'],
  ['qishloq xoʻjaligi', 'қишлоқ хўжалиги'],
  ['shahar', 'шаҳар'],
  ['yangi yoʻnalish', 'янги йўналиш'],
  ['yetti', 'етти'],
  ['ertaga', 'эртага'],
  ['aeroport', 'аэропорт'],
  ['poyezd', 'поезд'],
  ['ayyor', 'айёр'],
  ['yuk', 'юк'],
  ['maʼlumot', 'маълумот'],
  ['eʼlon', 'эълон'],
  ['masʼul', 'масъул'],
  ['sanʼat', 'санъат'],
  ['isʼhoq', 'исҳоқ'],
  ['qatʼiy', 'қатъий'],
  ['ming tonna', 'минг тонна'],
  ['konsultatsiya', 'консультация'],
  ['konstitutsiya', 'конституция'],
  ['funksiya', 'функция'],
  ['stansiya', 'станция'],
  ['pensiya', 'пенсия'],
  ['versiya', 'версия'],
  ['sirk', 'цирк'],
  ['sement', 'цемент'],
  ['litsenziya', 'лицензия'],
  ['protsessor', 'процессор'],
  ['konsert', 'концерт'],
  ['aprel', 'апрель'],
  ['sentabr', 'сентябрь'],
  ['oktabr', 'октябрь'],
  ['sentabrda', 'сентябрьда'],
  ['rolga', 'рольга'],
  ['roli', 'роли'],
  ['albom', 'альбом'],
  ['kompyuter', 'компьютер'],
  ['obyekt', 'объект'],
  ['rayon', 'район'],
  ['yodgorlik', 'ёдгорлик'],
  ['nola', 'нола'],
  ['million', 'миллион'],
  ['aytsa', 'айтса'],
  ['suratsiz', 'суратсиз'],
  ['moʻjiza', 'мўъжиза'],
  ['gigiyena', 'гигиена'],
  ['gerbitsid', 'гербицид'],
  ['plyonka', 'плёнка'],
]
const karakalpakPairs: readonly (readonly [latin: string, cyrillic: string])[] = [
  ['qaraqalpaqsha', 'қарақалпақша'],
  ['áhmiyet', 'әҳмийет'],
  ['óshiriw', 'өшириў'],
  ['júklew', 'жүклеў'],
  ['jańalıq', 'жаңалық'],
  ['maǵlıwmat', 'мағлыўмат'],
  ['waqıt', 'ўақыт'],
  ['xızmet hám bahalar', 'хызмет ҳәм баҳалар'],
  ['chat', 'чат'],
  ['shólkem', 'шөлкем'],
  ['aymaq', 'аймақ'],
  ['uyım', 'уйым'],
  ['yaǵnıy', 'яғный'],
  ['ekinshi', 'екинши'],
  ['ekran', 'экран'],
  ['elektron', 'электрон'],
  ['eksport', 'экспорт'],
  ['klient', 'клиент'],
  ['iyun', 'июнь'],
  ['oktyabrde', 'октябрьде'],
  ['aprel', 'апрель'],
  ['procent', 'процент'],
  ['kategoriya', 'категория'],
  ['moderaciya', 'модерация'],
  ['valyuta', 'валюта'],
  ['rayon', 'район'],
  ['rolge', 'рольге'],
  ['roli', 'роли'],
  ['dúnya', 'дүнья'],
  ['obyekt', 'объект'],
  ['surxandárya', 'сурхандәрья'],
  ['qızıl', 'қызыл'],
]

describe('conversion of words', () => {
  it.each(uzbekPairs)('writes the Uzbek %s as %s and back', (latin, cyrillic) => {
    expect(toCyrillic(latin, 'uz')).toBe(cyrillic)
    expect(toLatin(cyrillic, 'uz')).toBe(latin)
  })
  it.each(karakalpakPairs)('writes the Karakalpak %s as %s and back', (latin, cyrillic) => {
    expect(toCyrillic(latin, 'kaa')).toBe(cyrillic)
    expect(toLatin(cyrillic, 'kaa')).toBe(latin)
  })
  it.each([
    ['SHAHAR', 'ШАҲАР'],
    ['Shahar', 'Шаҳар'],
    ['Yoʻq', 'Йўқ'],
    ['YOʻQ', 'ЙЎҚ'],
    ['Gʻalla', 'Ғалла'],
    ['APREL', 'АПРЕЛЬ'],
    ['Sentabr', 'Сентябрь'],
    ['Yer', 'Ер'],
    ['YER', 'ЕР'],
  ])('writes the capitals of the Uzbek %s as %s and back', (latin, cyrillic) => {
    expect(toCyrillic(latin, 'uz')).toBe(cyrillic)
    expect(toLatin(cyrillic, 'uz')).toBe(latin)
  })
  it('writes a capital of two letters by its neighbours', () => {
    expect(toLatin('Ш. ШИРИН Ю', 'uz')).toBe('Sh. SHIRIN Yu')
  })
  it.each(["o'zbek", 'o‘zbek', 'o’zbek', 'o`zbek', 'oʻzbek', 'oʼzbek'])('reads the apostrophe of %s', (typed) => {
    expect(toCyrillic(typed, 'uz')).toBe('ўзбек')
  })
  it.each(["ma'lumot", 'ma’lumot'])('reads %s as a word with ъ', (typed) => {
    expect(toCyrillic(typed, 'uz')).toBe('маълумот')
  })
  it('reads the old Karakalpak spelling with apostrophes', () => {
    expect(toCyrillic("ha'm ju'klew", 'kaa')).toBe('ҳәм жүклеў')
  })
  it.each([
    ['Izlew', 'Излеў'],
    ['Iyun', 'Июнь'],
    ['Import', 'Импорт'],
    ['Ilaj', 'Илаж'],
    ['Iqlım', 'Ықлым'],
    ['Issı', 'Ыссы'],
    ['Íssı', 'Ыссы'],
    ['Inta', 'Ынта'],
    ['QÍZÍL', 'ҚЫЗЫЛ'],
    ['KÚTILMEKTE', 'КҮТИЛМЕКТЕ'],
    ['TASTIYIQ', 'ТАСТЫЙЫҚ'],
  ])('reads the Karakalpak capital I of %s as in %s', (latin, cyrillic) => {
    expect(toCyrillic(latin, 'kaa')).toBe(cyrillic)
  })
  it('writes the Karakalpak capital of ы as Í', () => {
    expect(toLatin('Ыссы ҚЫЗЫЛ Излеў', 'kaa')).toBe('Íssı QÍZÍL Izlew')
  })
})

describe('inScript', () => {
  it.each([
    'https://example.org/yangi?til=uz',
    'www.example.org',
    'user.name@example.org',
    't.me/dalauz',
    'dala.uz/yangiliklar?til=paxta#bosh, dala.uz/q?a=1&til=paxta.',
    'dala.uz?til=paxta',
    '@dalauz, (@dala_uz.)',
    'samples.json',
    '/app/home',
    '(.xlsx)',
    'customer_name, region, date;',
    'BACKUP_AT',
    'H264, SHA-256',
    'iPhone',
    'XX',
    'Ctrl+Enter',
    'Google Play',
    'PostgreSQL',
    '{name}',
    '[prices.asYesterday]',
    '#1a2b3c',
    'A, C, R',
    'CSV',
  ])('leaves %s as it is in both languages', (text) => {
    for (const locale of scriptLocales) expect(toCyrillic(text, locale)).toBe(text)
  })
  it.each([
    ['uz', 'CSVni Exceldan oching', 'CSVни Excelдан очинг'],
    ['uz', '2026-yil 5-noyabr', '2026-йил 5-ноябрь'],
    ['uz', 'va/yoki', 'ва/ёки'],
    ['uz', 'PDF-fayl', 'PDF-файл'],
    ['uz', 'kk.oo.yyyy', 'кк.оо.йййй'],
    ['uz', 'QR-kod', 'QR-код'],
    ['uz', 'U keldi. S. Karimov', 'У келди. С. Каримов'],
    ['uz', 'Wi-Fi bor', 'Wi-Фи бор'],
    ['uz', 'Kanal: t.me/dalauz. Yana @dalauzни oching', 'Канал: t.me/dalauz. Яна @dalauzни очинг'],
    ['kaa', 'Altın, Enter', 'Алтын, Enter'],
    ['kaa', 'Telegramnan keldi', 'Telegramнан келди'],
  ] as const)('converts the words beside protected parts: %s, %s', (locale, text, converted) => {
    expect(inScript(text, locale, 'cyrillic')).toBe(converted)
  })
  it.each([
    ['uz', 'latin', 'ўзбек, ЎЗБЕК, йил', 'oʻzbek, OʻZBEK, yil'],
    ['kaa', 'cyrillic', 'hám, Ń, óshiriw, ǵarrı', 'ҳәм, Ң, өшириў, ғарры'],
    ['kaa', 'latin', 'ўақыт, йод', 'waqıt, yod'],
  ] as const)('reads decomposed letters: %s, %s, %s', (locale, script, text, converted) => {
    const composedText = inScript(text, locale, script)
    expect(inScript(text.normalize('NFD'), locale, script)).toBe(converted)
    expect(composedText).toBe(converted)
  })
  it('leaves what has the wanted script already', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom(...scriptLocales), (text, locale) => {
        for (const script of scripts) {
          const converted = inScript(text, locale, script)
          expect(inScript(converted, locale, script)).toBe(converted)
        }
      }),
    )
  })
  it('returns Karakalpak words of Latin letters unchanged after both conversions, but for loans', () => {
    // Letters without the pairs that Cyrillic writes with one letter, and without the stems of loans.
    const words = fc.string({
      unit: fc.constantFrom(...Array.from('aábdgǵxıiqnńoóstuúwz')),
      minLength: 1,
      maxLength: 12,
    })
    fc.assert(
      fc.property(words, (word) => {
        expect(toLatin(toCyrillic(word, 'kaa'), 'kaa')).toBe(word)
      }),
    )
  })
  it('reads a long text without letters of words in linear steps', () => {
    for (const unit of [
      'a',
      '1',
      'a-',
      '.a',
      '<',
      '<code>',
      '&',
      'a_',
      '/a',
      '@',
      'A',
      "'",
      '@a',
      'a.b/',
      '&#39;',
      'a&#39;',
    ])
      expect(convertMarkup(`ж ${unit.repeat(20_000)}`, 'uz', 'latin')).toHaveLength(2 + unit.length * 20_000)
    const openTag = `<${'a'.repeat(100_000)}`
    expect(convertMarkup(openTag, 'uz', 'latin')).toBe(openTag)
  })
})

describe('convertMarkup', () => {
  it('converts text and leaves tags, attributes, entities and code', () => {
    const html = '<p class="note" title="Salom">Salom &amp; <a href="/app/yangi">yangi</a> <kbd>Saqlash</kbd></p>'
    expect(convertMarkup(html, 'uz', 'cyrillic')).toBe(
      '<p class="note" title="Salom">Салом &amp; <a href="/app/yangi">янги</a> <kbd>Saqlash</kbd></p>',
    )
  })
  it('reads an apostrophe that is written as an entity', () => {
    expect(convertMarkup('<b>o&#39;zbek</b> &#39;x&#39;', 'uz', 'cyrillic')).toBe('<b>ўзбек</b> &#39;х&#39;')
  })
  it('converts the text after an element of code that is never closed in a nested one', () => {
    expect(convertMarkup('<pre><code>bir</code></pre> ikki', 'uz', 'cyrillic')).toBe('<pre><code>bir</code></pre> икки')
  })
  it.each([
    '<p>https://dala.uz/q?a=1&amp;til=paxta</p>',
    '<p>dala.uz/q?a=1&amp;til=paxta &lt;t.me/dalauz&gt;</p>',
    '<p>https://dala.uz/o&#39;simlik</p>',
  ])('leaves the whole address of %s', (html) => {
    expect(convertMarkup(html, 'uz', 'cyrillic')).toBe(html)
  })
  it('ends an address before an entity of a space or a quotation mark', () => {
    expect(convertMarkup('&quot;dala.uz/yangi&quot;&nbsp;sayti', 'uz', 'cyrillic')).toBe(
      '&quot;dala.uz/yangi&quot;&nbsp;сайти',
    )
  })
  it('leaves a text of the wanted script with its entities', () => {
    const html = '<p>маъ&#39;но&nbsp;о&#39;збек &amp; <b>PDF</b></p>'
    expect(convertMarkup(html, 'uz', 'cyrillic')).toBe(html)
    expect(convertMarkup("<p>o&#39;zbek&nbsp;o'zbek</p>", 'uz', 'latin')).toBe("<p>o&#39;zbek&nbsp;o'zbek</p>")
  })
})
