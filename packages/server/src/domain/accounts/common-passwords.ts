/** The most common passwords in lower case, both worldwide and local ones (checklist §1). */
const passwordList = `
  0000 00000 000000 00000000 012345678901234 1111 11111 111111 11111111 111111111111111 1212 121212 12121212 123123
  12312312 123123123 123321 1234 12341234 12344321 12345 123454321 123456 1234567 12345678 123456789 1234567890
  123456789012345 1234567890123456 12345678901234567890 12345678910 123456a 1234qwer 123654 123qwe 123qweasd 1313
  131313 147147 147258 147258369 159159 159357 159753 1q2w3e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y7u8i 1qaz1qaz 1qaz2wsx
  1qaz2wsx3edc4rfv 2000 2222 222222 22222222 2580 3333 333333 4321 4444 444444 54321 5555 555555 55555555 654321
  6666 666666 66666666 696969 7654321 7777 777777 7777777 77777777 87654321 8888 888888 88888888 987654 987654321
  9876543210 9999 999999 99999999 a123456 a1234567 a12345678 aa123456 aaaa aaaaaa aaaaaaaa abc123 abc1234 abcd
  abcd1234 abcde abcdef abcdefg abcdefghijklmno abcdefghijklmnop abcdefghijklmnopqrstuvwxyz access admin admin1
  admin12 admin123 admin1234 admin2024 admin2025 admin2026 adminadminadmin adminadministrator administrator
  administrator123 administrator1234 agro agro123 alisher andijan andijon asdasd asdf asdf1234 asdfasdf asdfgh
  asdfghjk asdfghjkl asdfghjklzxcvbnm aslan assalom azamat azerty baseball batman bekzod bismillah bobur buxoro
  changeme changeme1 changemechangeme charlie chocolate computer correcthorsebatterystaple dala dala123 dala1234
  dala2024 dala2025 dala2026 dastur default demo demo123 demo1234 dilnoza donald dragon fargona farmer farmer123
  fergana fermer fermer123 flower football freedom gfhjkm ghbdtn google guest guest123 gulnara hello hello123
  hokimiyat hunter2 iloveyou iloveyouiloveyou internet islom jamshid jasur jesus jordan kaliforniya karakalpak
  killer kosmos letmein letmein1 letmeinletmeinletmein linkedin liverpool login love lovely manager marina master
  maxim michael monkey moscow muhammad mustafa mypassword naruto nastya natasha navruz nodir nukus nukus123 oila
  ozbek ozbekiston p4ssw0rd p@ssw0rd p@ssword pa55word pakhta parol parol1 parol12 parol123 parol1234
  parolparolparol pass pass1 pass123 pass1234 passw0rd passw0rd1 passw0rdpassw0rd password password1 password12
  password123 password1234 password12345678 password1234567890 password2024 password2025 password2026
  passwordpassword passwordpassword1 passwordpasswordpassword paxta princess qaraqalpaq qazwsx qazwsxedc
  qazwsxedcrfvtgb qwaszx qwer qwer1234 qwerty qwerty1 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456789
  qwertyqwertyqwerty qwertyu qwertyui qwertyuiop qwertyuiop123456 qwertyuiop1234567890 qwertyuiopasdfg
  qwertyuiopasdfgh qwertyuiopasdfghjkl root root123 rustam salom salom123 samarkand samarqand samsung sardor secret
  secret123 server sevinch shadow sherzod soccer spring2026 starwars summer summer2025 summer2026 sunshine
  super-admin superadmin superman system tashkent tashkent1 temur test test1 test12 test123 test1234 tester
  thisismypassword toshkent toshkent1 trustno1 ulugbek user user123 user1234 uzbek uzbekistan uzbekistan1
  uzbekistan123456 uzbekiston vfrcbv victoria viktor welcome welcome1 welcome123 welcomewelcome1 whatever
  winter2025 winter2026 xush xxxxxx yangi yulduz zaq12wsx zxcv zxcvbn zxcvbnm zxcvbnmasdfghjkl
  zxcvbnmasdfghjklqwertyuiop админ админ123 йцукен йцукенг любовь наталья пароль пароль1 пароль123 привет солнышко
  ташкент узбекистан
`

/** Common passwords in lower case, as they are looked up. */
export const commonPasswords: ReadonlySet<string> = new Set(passwordList.trim().split(/\s+/))
