# Makes viewer_assets.c (viewer.h): cmake -DFOLDER=... -DOUTPUT=... -DSCRIPTS=a.js,b.js -P embed.cmake
# The scripts are one, in this order.

# The text as a C string, and its SHA-256 in base64.
function(embed name text)
  string(SHA256 hash "${text}")
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n\"\n\t\"" text "${text}")
  set(digits ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  set(base64 "")
  # Three bytes, six hexadecimal digits, are four of base64; the last two bytes are three and a '='.
  string(APPEND hash 00)
  foreach(at RANGE 0 60 6)
    string(SUBSTRING ${hash} ${at} 6 group)
    foreach(shift 18 12 6 0)
      math(EXPR digit "0x${group} >> ${shift} & 63")
      string(SUBSTRING ${digits} ${digit} 1 digit)
      string(APPEND base64 ${digit})
    endforeach()
  endforeach()
  string(SUBSTRING ${base64} 0 43 base64)
  file(APPEND ${OUTPUT} "\nconst char ${name}[] =\n\t\"${text}\";\n"
    "const char ${name}_hash[] = \"${base64}=\";\n")
endfunction()

string(REPLACE "," ";" SCRIPTS "${SCRIPTS}")
set(script "")
foreach(name ${SCRIPTS})
  file(READ ${FOLDER}/${name} text)
  string(APPEND script "${text}")
endforeach()
# What only people who change it read stays here: comments, and the indentation.
string(REGEX REPLACE "\n\t*//[^\n]*" "" script "\n${script}")
string(REGEX REPLACE "\n[\n\t]+" "\n" script "${script}")
file(READ ${FOLDER}/viewer.css style)
string(REGEX REPLACE "/\\*[^*]*\\*/" "" style "${style}")
string(REGEX REPLACE "[\n\t]+" "" style "${style}")
file(WRITE ${OUTPUT} "#include \"viewer/viewer.h\"\n")
embed(viewer_script "${script}")
embed(viewer_style "${style}")
