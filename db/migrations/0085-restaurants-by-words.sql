-- What operators type is compared without accents, in lower case, with one kind of apostrophe and single spaces.
create function plain_text(text text) returns text language sql immutable as $$
  select lower(normalize(regexp_replace(regexp_replace(normalize(translate(trim(text), '‘’ʼ´`', ''''''''''''), NFD),
    '[\u0300-\u036f]', '', 'g'), '\s+', ' ', 'g'), NFC))
$$;

-- Restaurants are found by the beginnings of words of their name and city: "ember oak" finds Oak & Ember, and "joes" finds
-- Joe’s. Signs only separate words. An index is built without a search path.
create function restaurant_words(name text, city text) returns tsvector language sql immutable
  set search_path from current as $$
  select array_to_tsvector(array_remove(string_to_array(regexp_replace(
    plain_text(name || ' ' || city) || ' ' || replace(plain_text(name), '''', ''),
    '[\s!-/:-@\[-`{-~–—·•…]+', ' ', 'g'), ' '), ''))
$$;
create index merchants_by_words on merchants using gin (restaurant_words(name, city));
drop index merchants_by_beginning;
