import test from 'ava'
import { foldedText } from '#shared/domain/search/folding.ts'
import { wordsOf } from '#shared/domain/search/words.ts'

/** Words of each language as they are written, and as they are typed on a keyboard without their letters. */
const typed: Readonly<Record<string, readonly (readonly [written: string, typed: string])[]>> = {
  Azerbaijani: [['Azərbaycan', 'azerbaycan']],
  Danish: [
    ['Ærø', 'aero'],
    ['Rødgrød med fløde', 'rodgrod med flode'],
  ],
  French: [['cœur, sœur, ŒUVRE', 'coeur, soeur, oeuvre']],
  German: [['Straße, STRAẞE', 'strasse, strasse']],
  Icelandic: [['Þingvellir, Seyðisfjörður', 'thingvellir, seydisfjordur']],
  Maltese: [['Ħal Għaxaq', 'hal ghaxaq']],
  Polish: [['Łódź, Wałęsa', 'lodz, walesa']],
  'Sami and Northern': [['Ŋ, Ŧ, ŧ, Đ', 'n, t, t, d']],
  'Serbo-Croatian': [['Đorđe', 'dorde']],
  Turkish: [
    ['Iğdır, ISPARTA, ılık', 'igdir, isparta, ilik'],
    ['İstanbul, İZMİR', 'istanbul, izmir'],
  ],
  Vietnamese: [['Đường phố', 'duong pho']],
  'African languages': [['Ɛʋɛgbe, Hausa ɗan ƙasa, ɔkyeame', 'evegbe, hausa dan kasa, okyeame']],
  Kazakh: [['Қазақстан, ең, өмір, ұлы, ғылым', 'казакстан, ен, омір, улы, гылым']],
  Ukrainian: [['ґанок, об\u02bcєкт', "ганок, об'єкт"]],
  Hawaiian: [['Hawai\u02bbi', "hawai'i"]],
  Yiddish: [['װײַב', 'ווייב']],
  Persian: [['کتاب‌های فارسی', 'كتابهاي فارسي']],
  Arabic: [['مكتبة كبرى', 'مكتبه كبري']],
  Japanese: [
    ['ﾗｰﾒﾝ, ｶﾞﾗｽ, ﾊﾟﾝ', 'ラーメン, ガラス, パン'],
    ['Ｔシャツ　２枚', 'tシャツ 2枚'],
  ],
  Korean: [['ﾡﾢ', 'ᄀᄁ']],
  'forms of letters': [
    ['ﬁne ﬂour, ĳs, ǅep', 'fine flour, ijs, dzep'],
    ['ＡＢＣ, 𝐛𝐨𝐥𝐝, ª, №', 'abc, bold, a, №'],
    ['H₂O, CO₂, 80 m², Ⅷ', 'h2o, co2, 80 m2, viii'],
  ],
  'digits of other scripts': [['٢٠٢٦ ۲۰۲۶ २०२६ ๒๐๒๖ ２０２６', '2026 2026 2026 2026 2026']],
  'keys and signs': [['1️⃣ Acme™ x®', '1 acme x']],
}

for (const [language, pairs] of Object.entries(typed)) {
  test(`${language}: words are found by the letters that people type`, (t) => {
    for (const [written, asTyped] of pairs) {
      t.deepEqual(wordsOf(written), wordsOf(asTyped), written)
      t.deepEqual(wordsOf(written.toUpperCase()), wordsOf(asTyped), `${written} in capitals`)
    }
  })
}

test('folding a folded text changes nothing', (t) => {
  const changed: string[] = []
  for (let point = 0x80; point < 0x3_0000; point++) {
    if (point >= 0xd800 && point < 0xe000) continue
    const folded = foldedText(`a${String.fromCodePoint(point)}a`)
    if (foldedText(folded) !== folded) changed.push(point.toString(16))
  }
  t.deepEqual(changed, [])
})

test('every small Latin letter with a stroke, a hook or a tail is folded', (t) => {
  const living = 'øđħłŧƀɓƈɗƒɠǥɦɨƙƚɲŋƥɽʂƭʈʉʋƴƶȼɇɉɋɍɏⱥⱦæœþðəɛɔ'
  for (const letter of living) t.regex(foldedText(letter), /^[a-z]{1,2}$/, letter)
})
