-- Restaurants, also those that have left, are found by the beginnings of words of their name and city: "ember oak" finds
-- Oak & Ember, and "joes" finds Joe’s. Signs only separate words. An index is built without a search path.
create function restaurant_words(name text, city text) returns tsvector language sql immutable
  set search_path from current as $$
  select array_to_tsvector(array_remove(string_to_array(regexp_replace(
    plain_text(name || ' ' || city) || ' ' || replace(plain_text(name), '''', ''),
    '[\s!-/:-@\[-`{-~–—·•…]+', ' ', 'g'), ' '), ''))
$$;
create index merchants_by_words on merchants using gin (restaurant_words(name, city));
