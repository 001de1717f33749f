/** Karakalpak in Latin (2016) and in Cyrillic (1957). */
import { type LetterRule, parseStems, smallWord, wordConverter } from './orthography.ts'

/** Loans whose Cyrillic spelling does not follow from the Latin one, by stem. */
const loans = parseStems(`
  yanvar:январь fevral:февраль aprel:апрель sentyabr:сентябрь oktyabr:октябрь noyabr:ноябрь dekabr:декабрь
  iyun:июнь iyul:июль
  rol:роль rolik:ролик parol:пароль panel:панель agropanel:агропанель model:модель profil:профиль filtr:фильтр
  kalkulyator:калькулятор kalendar:календарь kompyuter:компьютер byulleten:бюллетень albom:альбом
  alternativ:альтернатив alfa:альфа alpinis:альпинис asfalt:асфальт avtomobil:автомобиль akvarel:акварель
  alkogol:алкоголь almanax:альманах ansambl:ансамбль dizel:дизель kabel:кабель kalciy:кальций
  kartofel:картофель konsult:консульт kontrol:контроль kultur:культур kultiv:культив lager:лагерь
  mebel:мебель medal:медаль modul:модуль multi:мульти nikel:никель nol:ноль palto:пальто pult:пульт
  relyef:рельеф rezultat:результат rubl:рубль spektakl:спектакль stil:стиль tabel:табель tekstil:текстиль
  tyulpan:тюльпан ultra:ультра vals:вальс volt:вольт festival:фестиваль film:фильм emulsiya:эмульсия
  piksel:пиксель megapiksel:мегапиксель
  dúnya:дүнья
  obyekt:объект subyekt:субъект adyutant:адъютант syezd:съезд intervyu:интервью premyera:премьера
  karyera:карьера kuryer:курьер
  ekran:экран eksport:экспорт ekspert:эксперт eksped:экспед ekskurs:экскурс ekspluat:эксплуат ekstren:экстрен
  elektr:электр element:элемент elita:элита ekonom:эконом ekolog:эколог ekvator:экватор energ:энерг
  enciklop:энциклоп etap:этап etika:этика epidem:эпидем efir:эфир eskiz:эскиз estet:эстет estafeta:эстафета
  etnogr:этногр evolyuc:эволюц ekipaj:экипаж epizod:эпизод eskalator:эскалатор emoci:эмоци
  aero:аэро poem:поэм poez:поэз
  rayon:район mayonez:майонез mayor:майор yod:йод yogurt:йогурт
`)

const toCyrillicRules: LetterRule[] = [
  ['aʼ(?=\\p{L})', 'ә'],
  ['oʼ(?=\\p{L})', 'ө'],
  ['uʼ(?=\\p{L})', 'ү'],
  ['nʼ(?=\\p{L})', 'ң'],
  ['gʼ(?=\\p{L})', 'ғ'],
  ['(?<=s)ʼ(?=h)', ''],
  ['dárya', 'дәрья'],
  ['sh', 'ш'],
  ['ch', 'ч'],
  ['yo', 'ё'],
  ['ya', 'я'],
  ['yu', 'ю'],
  ['(?<=\\p{L})ʼ', 'ъ'],
]

const toLatinRules: LetterRule[] = [
  ['(?<=с)ҳ', 'ʼh'],
  ['(?<=[бвгджзклмнпрстфхцчшщқғҳң])[ъь]е', 'ye'],
  ['ьо', 'yo'],
  ['[ъь]', ''],
  ['ш', 'sh'],
  ['щ', 'sh'],
  ['ч', 'ch'],
  ['ё', 'yo'],
  ['ю', 'yu'],
  ['я', 'ya'],
]

const convertToCyrillic = wordConverter({
  stems: loans,
  rules: toCyrillicRules,
  letters: ['aábcdefgǵhxıijkqlmnńoóprstuúvwyz', 'аәбцдефгғҳхыижкқлмнңоөпрстуүвўйз'],
})

/** Words that begin with a capital I for ı, and words that begin with i, though their next vowel says otherwise. */
const wordsWithBackI = /^i(?:nta|ldam|lay|ras|rza|spat|qlas|hlas|sıq)/
const wordsWithFrontI = /^i(?:yul|yun)/

/**
 * Returns a word in small letters. The capital I stands for i and at the head of a label for ı too: a ı or a
 * back consonant after it shows which, and in a word of capitals its other vowels.
 */
function smallKarakalpakWord(word: string): string {
  const small = smallWord(word)
  if (!word.includes('I')) return small
  const isAllCapitals =
    word.length > 1 &&
    word ===
      Array.from(word)
        .filter((letter) => !/\p{Ll}/u.test(letter))
        .join('')
  if (isAllCapitals && !word.includes('Í') && /[aou]/.test(small) && !/[áeóú]/.test(small))
    return small.replaceAll('i', 'ı')
  if (!word.startsWith('I') || wordsWithFrontI.test(small)) return small
  const [nextVowel = ''] = /[aáeiıoóuú]/.exec(small.slice(1)) ?? []
  const isBack = nextVowel === 'ı' || wordsWithBackI.test(small) || (/[qǵ]/.test(small) && 'aou'.includes(nextVowel))
  return isBack ? `ı${small.slice(1)}` : small
}

export const toKarakalpakCyrillic = (word: string): string => convertToCyrillic(word, smallKarakalpakWord(word))
export const toKarakalpakLatin = wordConverter({
  rules: toLatinRules,
  letters: ['аәбцдеэфгғҳхыийжкқлмнңоөпрстуүвўз', 'aábcdeefgǵhxıiyjkqlmnńoóprstuúvwz'],
})
