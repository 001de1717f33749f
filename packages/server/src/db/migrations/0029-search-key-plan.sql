-- 0029-search-key-plan: the search key of a text is planned once a session (decision 7).

-- PostgreSQL puts the body of a function in SQL into the place of each call, and plans it in every statement that writes
-- a text with a search key, also where the text is null. That took half of the time of a short row. A body in PL/pgSQL
-- stays prepared. The letters are those of before (packages/model/src/fold.ts), so stored keys stay as they are.
create or replace function search_key(value text) returns text language plpgsql immutable parallel safe as $body$
begin
  return case when octet_length(value) = char_length(value) then replace(replace(replace(replace(lower(value collate "C"), 'q', 'k'), '''', ''), '`', ''), U&'\001f', '') else replace(replace(replace(replace(replace(translate(value, U&' aаieоnиoеrнtтlрsслdmвuкмkhдgпbуyя.,ʻzыvpбqь<>/йзгxчjхfcжwшю-цщэф0123456789"=:;()\000aáàâãäåәçёéèêëєǵғґğҳһıíìîïіїқńңñóòôõöøўөşúùûüұүýABCDEFGHIJKLMNOPQRSTUVWXYZÁǴÍŃÓÚİÀÂÃÄÅÆÇÈÉÊËÌÎÏÑÒÔÕÖØÙÛÜÝÞĞŞАБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯӘҒҚҢӨҮЎҲҰҺІЇЄҐ''‘’`ʼ´ъ\0301\001f', U&' aaieonioernttlrssldmvukmkhdgpbuyя.,\001fzivpbk\001f<>/yzgxчjxfcjwшю-sшef0123456789"=:;()\000aaaaaaaaceeeeeegggghhiiiiiiiknnnoooooooosuuuuuuyabcdefghijklmnopkrstuvwxyzaginouiaaaaaæceeeeiiinooooouuuyþgsabvgdeejziyklmnoprstufxsчшш\001fi\001feюяagknouohuhiieg\001f\001f\001f\001f\001f\001f\001f\001f\001f'), 'ш', 'sh'), 'ч', 'ch'), 'ю', 'yu'), 'я', 'ya'), U&'\001f', '') end;
end
$body$;
