/** Uzbek in Latin (1995, with U+02BB and U+02BC) and in Cyrillic (1940). */
import { type LetterRule, parseStems, wordConverter } from './orthography.ts'

/** Loans whose Cyrillic spelling does not follow from the Latin one, by stem. */
const loans = parseStems(`
  yanvar:январь fevral:февраль aprel:апрель sentabr:сентябрь oktabr:октябрь noyabr:ноябрь dekabr:декабрь iyul:июль
  iyun:июнь
  rol:роль rolik:ролик parol:пароль panel:панель agropanel:агропанель model:модель modelyer:модельер profil:профиль
  filtr:фильтр fultr:фульт kalkulyator:калькулятор kalkulyatsiya:калькуляция kompyuter:компьютер
  byulleten:бюллетень albom:альбом alternativ:альтернатив alfa:альфа alpinis:альпинис asfalt:асфальт
  avtomobil:автомобиль dizel:дизель kabel:кабель kalsiy:кальций kartofel:картофель konsult:консульт
  konsul:консул kontrol:контроль kontroler:контролер kult:культ kultivator:культиватор kultura:культура
  lager:лагерь mebel:мебель medal:медаль melxior:мельхиор modul:модуль mulch:мульч multi:мульти nikel:никель
  nol:ноль nola:нола noli:ноли palto:пальто pult:пульт relyef:рельеф rezultat:результат rul:руль
  rubl:рубль selderey:сельдерей shampun:шампунь spektakl:спектакль stil:стиль tabel:табель tekstil:текстиль
  tonnel:тоннель tyulpan:тюльпан ultra:ультра universitet:университет vals:вальс volt:вольт festival:фестиваль
  emulsiya:эмульсия film:фильм fonar:фонарь gerts:герц golf:гольф kreml:кремль lyubitel:любитель mil:миль mila:мила
  mill:милл milk:милк million:миллион milliy:миллий millat:миллат pedal:педаль shtempel:штемпель sputnik:спутник
  videoalbom:видеоальбом piksel:пиксель megapiksel:мегапиксель
  obyekt:объект subyekt:субъект adyutant:адъютант syezd:съезд syomka:съёмка konyunktura:конъюнктура
  inyeksiya:инъекция
  intervyu:интервью premyera:премьера karyera:карьера kuryer:курьер baryer:барьер pyesa:пьеса atelye:ателье
  dosye:досье vyetnam:вьетнам konyak:коньяк brakonyer:браконьер portyer:портьер
  sement:цемент sentner:центнер senzura:цензура sex:цех sifr:цифр silindr:цилиндр sirk:цирк sitrus:цитрус
  sikl:цикл sink:цинк sellofan:целлофан sellyuloza:целлюлоза senz:ценз sitata:цитата
  konsert:концерт konsern:концерн konsep:концеп aksent:акцент aksiz:акциз aksioner:акционер vaksina:вакцина
  ensiklopediya:энциклопедия porsiya:порция proporsiya:пропорция kalkulyat:калькулят fransiya:франция
  fransuz:француз prins:принц shpris:шприц dansing:дансинг kansler:канцлер provinsiya:провинция
  pensiya:пенсия pension:пансион dimensiya:дименсия refleksiya:рефлексия kompleksiya:комплексия
  epilepsiya:эпилепсия matritsa:матрица pitsa:пицца militsa:милица sitsiliya:сицилия
  rayon:район mayonez:майонез mayor:майор yogurt:йогурт yoga:йога
  moʻjiza:мўъжиза moʻtabar:мўътабар moʻmin:мўъмин moʻtadil:мўътадил noʻmon:нўъмон shoʻba:шўъба
`)

const latinVowels = 'aeiou'
const cyrillicVowels = 'аеёиоуўэюяы'

const toCyrillicRules: LetterRule[] = [
  ['yoʼ', 'йў'],
  ['oʼ', 'ў'],
  ['gʼ', 'ғ'],
  ['(?<=s)ʼ(?=h)', ''],
  ['sh', 'ш'],
  ['ch', 'ч'],
  ['yo', 'ё'],
  ['ya', 'я'],
  ['yu', 'ю'],
  ['ye', 'е'],
  ['ts(?=iy[ae]|ion|id|e)', 'ц'],
  ['(?<=[knp])s(?=iya|ion)', 'ц'],
  [`(?<![\\p{L}])e|(?<=[${latinVowels}ʼ])e`, 'э'],
  ['(?<=\\p{L})ʼ', 'ъ'],
]

/** The months that lost a soft vowel with the Latin script. */
const monthsToLatin: LetterRule[] = [
  ['сентябр', 'sentabr'],
  ['октябр', 'oktabr'],
]

const toLatinRules: LetterRule[] = [
  ['(?<=с)ҳ', 'ʼh'],
  ['(?<=ў)ъ', ''],
  [`(?<=[бвгджзклмнпрстфхцчшщқғҳ])[ъь]е`, 'ye'],
  ['(?<=[бвгджзклмнпрстфхцчшщқғҳ])[ъь](?=[ёюя])', ''],
  ['ьо', 'yo'],
  ['цц', 'ts'],
  ['ъ', 'ʼ'],
  ['ь', ''],
  [`(?<![\\p{L}])е|(?<=[${cyrillicVowels}])е`, 'ye'],
  [`(?<=[${cyrillicVowels}])ц`, 'ts'],
  ['ў', 'oʻ'],
  ['ғ', 'gʻ'],
  ['ш', 'sh'],
  ['щ', 'sh'],
  ['ч', 'ch'],
  ['ё', 'yo'],
  ['ю', 'yu'],
  ['я', 'ya'],
]

export const toUzbekCyrillic = wordConverter({
  stems: loans,
  rules: toCyrillicRules,
  letters: ['abdefghijklmnopqrstuvxyz', 'абдефгҳижклмнопқрстувхйз'],
})
export const toUzbekLatin = wordConverter({
  stems: monthsToLatin,
  rules: toLatinRules,
  letters: ['абвгдежзийклмнопрстуфхцэықҳ', 'abvgdejziyklmnoprstufxseiqh'],
})

/** Tells whether a word cannot be Uzbek: w, and c outside ch, are no letters of its alphabet. */
export const isForeignToUzbek = (small: string): boolean => /w|c(?!h)/.test(small)
