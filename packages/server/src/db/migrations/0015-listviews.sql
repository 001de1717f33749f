-- 0015-listviews: saved views of lists, the names that the search over all resources looks at, and one key for q and k.
-- Tables, columns and their indexes are generated from the model; it was then read by a person.

-- The same table as the model's searchKey (packages/model/src/fold.ts): қ, q and к are one letter now.
create or replace function search_key(value text) returns text language sql immutable strict parallel safe
  return replace(replace(replace(replace(replace(translate(value, U&' aаieоnиoеrнtтlрsслdmвuкмkhдgпbуyя.,ʻzыvpбqь<>/йзгxчjхfcжwшю-цщэф0123456789"=:;()\000aáàâãäåәçёéèêëєǵғґğҳһıíìîïіїқńңñóòôõöøўөşúùûüұүýABCDEFGHIJKLMNOPQRSTUVWXYZÁǴÍŃÓÚİÀÂÃÄÅÆÇÈÉÊËÌÎÏÑÒÔÕÖØÙÛÜÝÞĞŞАБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯӘҒҚҢӨҮЎҲҰҺІЇЄҐ''‘’`ʼ´ъ\0301\001f', U&' aaieonioernttlrssldmvukmkhdgpbuyя.,\001fzivpbk\001f<>/yzgxчjxfcjwшю-sшef0123456789"=:;()\000aaaaaaaaceeeeeegggghhiiiiiiiknnnoooooooosuuuuuuyabcdefghijklmnopkrstuvwxyzaginouiaaaaaæceeeeiiinooooouuuyþgsabvgdeejziyklmnoprstufxsчшш\001fi\001feюяagknouohuhiieg\001f\001f\001f\001f\001f\001f\001f\001f\001f'), 'ш', 'sh'), 'ч', 'ch'), 'ю', 'yu'), 'я', 'ya'), U&'\001f', '');

-- What is stored is worked out anew, with its index; tables that get a name as well are written once for both.

alter table "about" drop column "search", add column "search" text generated always as (coalesce(search_key("videourl"), '') || E'\x1f' || coalesce(search_key("phone"), '') || E'\x1f' || coalesce(search_key("email"), '') || E'\x1f' || coalesce(search_key("website"), '') || E'\x1f' || coalesce(search_key("telegram"), '') || E'\x1f' || coalesce(search_key("facebook"), '') || E'\x1f' || coalesce(search_key("instagram"), '') || E'\x1f' || coalesce(search_key("youtube"), '') || E'\x1f' || coalesce(search_key("play_market_link"), '') || E'\x1f' || coalesce(search_key("appstore_link"), '')) stored;
alter table "about_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("title"), '') || E'\x1f' || coalesce(search_key("description"), '') || E'\x1f' || coalesce(search_key("mission"), '') || E'\x1f' || coalesce(search_key("address"), '') || E'\x1f' || coalesce(search_key("working_hours"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("title"), ''), 400)) stored;
alter table "activitytypes" drop column "search", add column "search" text generated always as (coalesce(search_key("slug"), '')) stored;
alter table "activitytypes_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("description"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("name"), ''), 400)) stored;
alter table "additionalinfos" drop column "search", add column "search" text generated always as (coalesce(search_key("key"), '') || E'\x1f' || coalesce(search_key("link"), '')) stored;
alter table "additionalinfos_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("title"), '') || E'\x1f' || coalesce(search_key("description"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("title"), ''), 400)) stored;
alter table "agrocultureareas" drop column "search", add column "search" text generated always as (coalesce(search_key("slug"), '')) stored;
alter table "agrocultureareas_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("description"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("name"), ''), 400)) stored;
alter table "attachments" drop column "search", add column "search" text generated always as (coalesce(search_key("link"), '') || E'\x1f' || coalesce(search_key("kind"), '')) stored;
alter table "attachments_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("description"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("name"), ''), 400)) stored;
alter table "branches" drop column "search", add column "search" text generated always as (coalesce(search_key("phone"), '') || E'\x1f' || coalesce(search_key("email"), '')) stored;
alter table "branches_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("address"), '') || E'\x1f' || coalesce(search_key("working_hours"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("name"), ''), 400)) stored;
alter table "chatmessages" drop column "search", add column "search" text generated always as (coalesce(search_key("text"), '') || E'\x1f' || coalesce(search_key("kind"), '') || E'\x1f' || coalesce(search_key("client_id"), '')) stored;
alter table "chatrooms" drop column "search", add column "search" text generated always as (coalesce(search_key("state"), '') || E'\x1f' || coalesce(search_key("language"), '')) stored;
alter table "companies" drop column "search", add column "search" text generated always as (coalesce(search_key("companyName"), '') || E'\x1f' || coalesce(search_key("shortname"), '') || E'\x1f' || coalesce(search_key("phone"), '') || E'\x1f' || coalesce(search_key("fax"), '') || E'\x1f' || coalesce(search_key("email"), '') || E'\x1f' || coalesce(search_key("website"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("companyName"), ''), 400)) stored;
alter table "companies_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("slogan"), '') || E'\x1f' || coalesce(search_key("shortdescription"), '') || E'\x1f' || coalesce(search_key("description"), '') || E'\x1f' || coalesce(search_key("full_description"), '') || E'\x1f' || coalesce(search_key("address"), '')) stored;
alter table "companycategories" drop column "search", add column "search" text generated always as (coalesce(search_key("slug"), '')) stored;
alter table "companycategories_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("name"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("name"), ''), 400)) stored;
alter table "consultantcategories" drop column "search", add column "search" text generated always as (coalesce(search_key("slug"), '')) stored;
alter table "consultantcategories_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("description"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("name"), ''), 400)) stored;
alter table "consultationcategories" drop column "search", add column "search" text generated always as (coalesce(search_key("slug"), '')) stored;
alter table "consultationcategories_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("description"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("name"), ''), 400)) stored;
alter table "consultations" drop column "search", add column "search" text generated always as (coalesce(search_key("question"), '') || E'\x1f' || coalesce(search_key("answer"), '') || E'\x1f' || coalesce(search_key("language"), '') || E'\x1f' || coalesce(search_key("finish_reason"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("question"), ''), 400)) stored;
alter table "coursecategories" drop column "search", add column "search" text generated always as (coalesce(search_key("slug"), '')) stored;
alter table "coursecategories_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("description"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("name"), ''), 400)) stored;
alter table "courses" drop column "search", add column "search" text generated always as (coalesce(search_key("state"), '')) stored;
alter table "courses_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("title"), '') || E'\x1f' || coalesce(search_key("description"), '') || E'\x1f' || coalesce(search_key("videourl"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("title"), ''), 400)) stored;
alter table "coursetypes" drop column "search", add column "search" text generated always as (coalesce(search_key("slug"), '')) stored;
alter table "coursetypes_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("name"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("name"), ''), 400)) stored;
alter table "directions" drop column "search", add column "search" text generated always as (coalesce(search_key("slug"), '')) stored;
alter table "districts" drop column "search", add column "search" text generated always as (coalesce(search_key("code"), '') || E'\x1f' || coalesce(search_key("type"), '')) stored;
alter table "districts_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("name"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("name"), ''), 400)) stored;
alter table "faqs_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("question"), '') || E'\x1f' || coalesce(search_key("answer"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("question"), ''), 400)) stored;
alter table "genders" drop column "search", add column "search" text generated always as (coalesce(search_key("code"), '')) stored;
alter table "insert_excel" drop column "search", add column "search" text generated always as (coalesce(search_key("kind"), '') || E'\x1f' || coalesce(search_key("file_name"), '') || E'\x1f' || coalesce(search_key("state"), '')) stored;
alter table "lessongroups" drop column "search", add column "search" text generated always as (coalesce(search_key("state"), '')) stored;
alter table "lessongroups_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("title"), '') || E'\x1f' || coalesce(search_key("description"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("title"), ''), 400)) stored;
alter table "lessons" drop column "search", add column "search" text generated always as (coalesce(search_key("kind"), '') || E'\x1f' || coalesce(search_key("complete_when"), '') || E'\x1f' || coalesce(search_key("state"), '')) stored;
alter table "lessons_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("title"), '') || E'\x1f' || coalesce(search_key("description"), '') || E'\x1f' || coalesce(search_key("content"), '') || E'\x1f' || coalesce(search_key("videourl"), '') || E'\x1f' || coalesce(search_key("link"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("title"), ''), 400)) stored;
alter table "news" drop column "search", add column "search" text generated always as (coalesce(search_key("link"), '') || E'\x1f' || coalesce(search_key("videourl"), '') || E'\x1f' || coalesce(search_key("kind"), '')) stored;
alter table "news_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("title"), '') || E'\x1f' || coalesce(search_key("description"), '') || E'\x1f' || coalesce(search_key("content"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("title"), ''), 400)) stored;
alter table "pages" drop column "search", add column "search" text generated always as (coalesce(search_key("slug"), '') || E'\x1f' || coalesce(search_key("placement"), '')) stored;
alter table "pages_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("title"), '') || E'\x1f' || coalesce(search_key("description"), '') || E'\x1f' || coalesce(search_key("content"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("title"), ''), 400)) stored;
alter table "partners" drop column "search", add column "search" text generated always as (coalesce(search_key("link"), '') || E'\x1f' || coalesce(search_key("kind"), '')) stored;
alter table "partners_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("description"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("name"), ''), 400)) stored;
alter table "pricedates" drop column "search", add column "search" text generated always as (coalesce(search_key("state"), '') || E'\x1f' || coalesce(search_key("note"), '')) stored;
alter table "pricelists" drop column "search", add column "search" text generated always as (coalesce(search_key("market_type"), '') || E'\x1f' || coalesce(search_key("currency"), '') || E'\x1f' || coalesce(search_key("origin"), '') || E'\x1f' || coalesce(search_key("state"), '') || E'\x1f' || coalesce(search_key("note"), '')) stored;
alter table "productcategories" drop column "search", add column "search" text generated always as (coalesce(search_key("slug"), '')) stored;
alter table "productcategories_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("description"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("name"), ''), 400)) stored;
alter table "products" drop column "search", add column "search" text generated always as (coalesce(search_key("slug"), '')) stored;
alter table "products_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("description"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("name"), ''), 400)) stored;
alter table "regions" drop column "search", add column "search" text generated always as (coalesce(search_key("code"), '') || E'\x1f' || coalesce(search_key("iso"), '') || E'\x1f' || coalesce(search_key("type"), '')) stored;
alter table "regions_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("name"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("name"), ''), 400)) stored;
alter table "roles" drop column "search", add column "search" text generated always as (coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("description"), '') || E'\x1f' || coalesce(search_key("type"), '')) stored;
alter table "servicecategories" drop column "search", add column "search" text generated always as (coalesce(search_key("slug"), '') || E'\x1f' || coalesce(search_key("section"), '')) stored;
alter table "servicecategories_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("description"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("name"), ''), 400)) stored;
alter table "serviceposts" drop column "search", add column "search" text generated always as (coalesce(search_key("section"), '') || E'\x1f' || coalesce(search_key("link"), '') || E'\x1f' || coalesce(search_key("phone"), '')) stored;
alter table "serviceposts_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("title"), '') || E'\x1f' || coalesce(search_key("description"), '') || E'\x1f' || coalesce(search_key("content"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("title"), ''), 400)) stored;
alter table "sliders" drop column "search", add column "search" text generated always as (coalesce(search_key("link"), '') || E'\x1f' || coalesce(search_key("placement"), '')) stored;
alter table "sliders_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("title"), '') || E'\x1f' || coalesce(search_key("description"), '') || E'\x1f' || coalesce(search_key("button_text"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("title"), ''), 400)) stored;
alter table "statistics" drop column "search", add column "search" text generated always as (coalesce(search_key("key"), '') || E'\x1f' || coalesce(search_key("group"), '')) stored;
alter table "statuses" drop column "search", add column "search" text generated always as (coalesce(search_key("code"), '') || E'\x1f' || coalesce(search_key("scope"), '') || E'\x1f' || coalesce(search_key("color"), '')) stored;
alter table "tags" drop column "search", add column "search" text generated always as (coalesce(search_key("color"), '')) stored;
alter table "tags_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("slug"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("name"), ''), 400)) stored;
alter table "tools" drop column "search", add column "search" text generated always as (coalesce(search_key("link"), '') || E'\x1f' || coalesce(search_key("play_market_link"), '') || E'\x1f' || coalesce(search_key("appstore_link"), '') || E'\x1f' || coalesce(search_key("videourl"), '')) stored;
alter table "tools_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("title"), '') || E'\x1f' || coalesce(search_key("description"), '') || E'\x1f' || coalesce(search_key("content"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("title"), ''), 400)) stored;
alter table "tradingpostcategories" drop column "search", add column "search" text generated always as (coalesce(search_key("slug"), '')) stored;
alter table "tradingpostcategories_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("name"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("name"), ''), 400)) stored;
alter table "tradingposttypes" drop column "search", add column "search" text generated always as (coalesce(search_key("code"), '')) stored;
alter table "tradinposts" drop column "search", add column "search" text generated always as (coalesce(search_key("currency"), '') || E'\x1f' || coalesce(search_key("phone"), '') || E'\x1f' || coalesce(search_key("status"), '') || E'\x1f' || coalesce(search_key("reason"), '') || E'\x1f' || coalesce(search_key("public_note"), '')) stored;
alter table "tradinposts_texts" drop column "search", add column "search" text generated always as (coalesce(search_key("title"), '') || E'\x1f' || coalesce(search_key("description"), '')) stored, add column "name_key" text generated always as (left(coalesce(search_key("title"), ''), 400)) stored;
alter table "units" drop column "search", add column "search" text generated always as (coalesce(search_key("code"), '') || E'\x1f' || coalesce(search_key("kind"), '')) stored;
alter table "uploads" drop column "search", add column "search" text generated always as (coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("alternativeText"), '') || E'\x1f' || coalesce(search_key("caption"), '') || E'\x1f' || coalesce(search_key("folder"), '') || E'\x1f' || coalesce(search_key("hash"), '') || E'\x1f' || coalesce(search_key("ext"), '') || E'\x1f' || coalesce(search_key("mime"), '') || E'\x1f' || coalesce(search_key("url"), '') || E'\x1f' || coalesce(search_key("previewUrl"), '') || E'\x1f' || coalesce(search_key("provider"), '')) stored;
alter table "users" drop column "search", add column "search" text generated always as (coalesce(search_key("username"), '') || E'\x1f' || coalesce(search_key("email"), '') || E'\x1f' || coalesce(search_key("provider"), '') || E'\x1f' || coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("middlename"), '') || E'\x1f' || coalesce(search_key("surname"), '') || E'\x1f' || coalesce(search_key("phone"), '') || E'\x1f' || coalesce(search_key("address"), '') || E'\x1f' || coalesce(search_key("language"), '') || E'\x1f' || coalesce(search_key("position"), '') || E'\x1f' || coalesce(search_key("about"), '')) stored, add column "name_key" text generated always as (left(ltrim(btrim(coalesce(search_key("name"), '') || ' ' || coalesce(search_key("surname"), '')) || E'\x1f' || btrim(coalesce(search_key("surname"), '') || ' ' || coalesce(search_key("name"), '')) || E'\x1f' || coalesce(search_key("username"), ''), E'\x1f'), 400)) stored;
create index "about_search_idx" on "about" using gin ("search" gin_trgm_ops);
create index "about_texts_search_idx" on "about_texts" using gin ("search" gin_trgm_ops);
create index "activitytypes_search_idx" on "activitytypes" using gin ("search" gin_trgm_ops);
create index "activitytypes_texts_search_idx" on "activitytypes_texts" using gin ("search" gin_trgm_ops);
create index "additionalinfos_search_idx" on "additionalinfos" using gin ("search" gin_trgm_ops);
create index "additionalinfos_texts_search_idx" on "additionalinfos_texts" using gin ("search" gin_trgm_ops);
create index "agrocultureareas_search_idx" on "agrocultureareas" using gin ("search" gin_trgm_ops);
create index "agrocultureareas_texts_search_idx" on "agrocultureareas_texts" using gin ("search" gin_trgm_ops);
create index "attachments_search_idx" on "attachments" using gin ("search" gin_trgm_ops);
create index "attachments_texts_search_idx" on "attachments_texts" using gin ("search" gin_trgm_ops);
create index "branches_search_idx" on "branches" using gin ("search" gin_trgm_ops);
create index "branches_texts_search_idx" on "branches_texts" using gin ("search" gin_trgm_ops);
create index "chatmessages_search_idx" on "chatmessages" using gin ("search" gin_trgm_ops);
create index "chatrooms_search_idx" on "chatrooms" using gin ("search" gin_trgm_ops);
create index "companies_search_idx" on "companies" using gin ("search" gin_trgm_ops);
create index "companies_name_key_idx" on "companies" using gin ("name_key" gin_trgm_ops);
create index "companies_name_key_order_idx" on "companies" ("name_key" collate "C");
create index "companies_texts_search_idx" on "companies_texts" using gin ("search" gin_trgm_ops);
create index "companycategories_search_idx" on "companycategories" using gin ("search" gin_trgm_ops);
create index "companycategories_texts_search_idx" on "companycategories_texts" using gin ("search" gin_trgm_ops);
create index "consultantcategories_search_idx" on "consultantcategories" using gin ("search" gin_trgm_ops);
create index "consultantcategories_texts_search_idx" on "consultantcategories_texts" using gin ("search" gin_trgm_ops);
create index "consultationcategories_search_idx" on "consultationcategories" using gin ("search" gin_trgm_ops);
create index "consultationcategories_texts_search_idx" on "consultationcategories_texts" using gin ("search" gin_trgm_ops);
create index "consultations_search_idx" on "consultations" using gin ("search" gin_trgm_ops);
create index "consultations_name_key_idx" on "consultations" using gin ("name_key" gin_trgm_ops);
create index "consultations_name_key_order_idx" on "consultations" ("name_key" collate "C");
create index "coursecategories_search_idx" on "coursecategories" using gin ("search" gin_trgm_ops);
create index "coursecategories_texts_search_idx" on "coursecategories_texts" using gin ("search" gin_trgm_ops);
create index "courses_search_idx" on "courses" using gin ("search" gin_trgm_ops);
create index "courses_texts_search_idx" on "courses_texts" using gin ("search" gin_trgm_ops);
create index "coursetypes_search_idx" on "coursetypes" using gin ("search" gin_trgm_ops);
create index "coursetypes_texts_search_idx" on "coursetypes_texts" using gin ("search" gin_trgm_ops);
create index "directions_search_idx" on "directions" using gin ("search" gin_trgm_ops);
create index "districts_search_idx" on "districts" using gin ("search" gin_trgm_ops);
create index "districts_texts_search_idx" on "districts_texts" using gin ("search" gin_trgm_ops);
create index "districts_texts_name_key_idx" on "districts_texts" using gin ("name_key" gin_trgm_ops);
create index "districts_texts_name_key_order_idx" on "districts_texts" ("name_key" collate "C");
create index "faqs_texts_search_idx" on "faqs_texts" using gin ("search" gin_trgm_ops);
create index "genders_search_idx" on "genders" using gin ("search" gin_trgm_ops);
create index "insert_excel_search_idx" on "insert_excel" using gin ("search" gin_trgm_ops);
create index "lessongroups_search_idx" on "lessongroups" using gin ("search" gin_trgm_ops);
create index "lessongroups_texts_search_idx" on "lessongroups_texts" using gin ("search" gin_trgm_ops);
create index "lessons_search_idx" on "lessons" using gin ("search" gin_trgm_ops);
create index "lessons_texts_search_idx" on "lessons_texts" using gin ("search" gin_trgm_ops);
create index "news_search_idx" on "news" using gin ("search" gin_trgm_ops);
create index "news_texts_search_idx" on "news_texts" using gin ("search" gin_trgm_ops);
create index "news_texts_name_key_idx" on "news_texts" using gin ("name_key" gin_trgm_ops);
create index "news_texts_name_key_order_idx" on "news_texts" ("name_key" collate "C");
create index "pages_search_idx" on "pages" using gin ("search" gin_trgm_ops);
create index "pages_texts_search_idx" on "pages_texts" using gin ("search" gin_trgm_ops);
create index "partners_search_idx" on "partners" using gin ("search" gin_trgm_ops);
create index "partners_texts_search_idx" on "partners_texts" using gin ("search" gin_trgm_ops);
create index "pricedates_search_idx" on "pricedates" using gin ("search" gin_trgm_ops);
create index "pricelists_search_idx" on "pricelists" using gin ("search" gin_trgm_ops);
create index "productcategories_search_idx" on "productcategories" using gin ("search" gin_trgm_ops);
create index "productcategories_texts_search_idx" on "productcategories_texts" using gin ("search" gin_trgm_ops);
create index "products_search_idx" on "products" using gin ("search" gin_trgm_ops);
create index "products_texts_search_idx" on "products_texts" using gin ("search" gin_trgm_ops);
create index "regions_search_idx" on "regions" using gin ("search" gin_trgm_ops);
create index "regions_texts_search_idx" on "regions_texts" using gin ("search" gin_trgm_ops);
create index "roles_search_idx" on "roles" using gin ("search" gin_trgm_ops);
create index "servicecategories_search_idx" on "servicecategories" using gin ("search" gin_trgm_ops);
create index "servicecategories_texts_search_idx" on "servicecategories_texts" using gin ("search" gin_trgm_ops);
create index "serviceposts_search_idx" on "serviceposts" using gin ("search" gin_trgm_ops);
create index "serviceposts_texts_search_idx" on "serviceposts_texts" using gin ("search" gin_trgm_ops);
create index "sliders_search_idx" on "sliders" using gin ("search" gin_trgm_ops);
create index "sliders_texts_search_idx" on "sliders_texts" using gin ("search" gin_trgm_ops);
create index "statistics_search_idx" on "statistics" using gin ("search" gin_trgm_ops);
create index "statuses_search_idx" on "statuses" using gin ("search" gin_trgm_ops);
create index "tags_search_idx" on "tags" using gin ("search" gin_trgm_ops);
create index "tags_texts_search_idx" on "tags_texts" using gin ("search" gin_trgm_ops);
create index "tags_texts_name_key_idx" on "tags_texts" using gin ("name_key" gin_trgm_ops);
create index "tags_texts_name_key_order_idx" on "tags_texts" ("name_key" collate "C");
create index "tools_search_idx" on "tools" using gin ("search" gin_trgm_ops);
create index "tools_texts_search_idx" on "tools_texts" using gin ("search" gin_trgm_ops);
create index "tradingpostcategories_search_idx" on "tradingpostcategories" using gin ("search" gin_trgm_ops);
create index "tradingpostcategories_texts_search_idx" on "tradingpostcategories_texts" using gin ("search" gin_trgm_ops);
create index "tradingposttypes_search_idx" on "tradingposttypes" using gin ("search" gin_trgm_ops);
create index "tradinposts_search_idx" on "tradinposts" using gin ("search" gin_trgm_ops);
create index "tradinposts_texts_search_idx" on "tradinposts_texts" using gin ("search" gin_trgm_ops);
create index "tradinposts_texts_name_key_idx" on "tradinposts_texts" using gin ("name_key" gin_trgm_ops);
create index "tradinposts_texts_name_key_order_idx" on "tradinposts_texts" ("name_key" collate "C");
create index "units_search_idx" on "units" using gin ("search" gin_trgm_ops);
create index "uploads_search_idx" on "uploads" using gin ("search" gin_trgm_ops);
create index "users_search_idx" on "users" using gin ("search" gin_trgm_ops);
create index "users_name_key_idx" on "users" using gin ("name_key" gin_trgm_ops);
create index "users_name_key_order_idx" on "users" ("name_key" collate "C");

-- Saved views.
create table "listviews" (
  "id" integer generated by default as identity,
  "version" integer not null default 1,
  "created_at" timestamptz(3) not null default now(),
  "updated_at" timestamptz(3) not null default now(),
  "name" varchar(255) not null,
  "screen" varchar(255) not null,
  "state" jsonb,
  "pinned" boolean not null default false,
  "standard" boolean not null default false,
  "order" integer not null default 0,
  "search" text generated always as (coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("screen"), '')) stored,
  "owner_id" integer,
  "role_id" integer,
  primary key ("id")
);
alter table "listviews" add constraint "listviews_owner_id_fkey" foreign key ("owner_id") references "users" on delete cascade;
alter table "listviews" add constraint "listviews_role_id_fkey" foreign key ("role_id") references "roles" on delete set null;
create index "listviews_search_idx" on "listviews" using gin ("search" gin_trgm_ops);
create index "listviews_owner_id_idx" on "listviews" ("owner_id");
create index "listviews_role_id_idx" on "listviews" ("role_id");
