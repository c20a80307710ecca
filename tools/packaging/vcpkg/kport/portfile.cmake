# Written by vcpkg's documents and not tried. SOURCE_PATH is set by who publishes kport: there
# vcpkg_from_git fetches a release.
vcpkg_from_git(OUT_SOURCE_PATH SOURCE_PATH URL "${KPORT_REPOSITORY}" REF "${KPORT_COMMIT}")
vcpkg_configure_meson(SOURCE_PATH "${SOURCE_PATH}" OPTIONS -Dtests=disabled -Dmpi=disabled -Dpeers=disabled)
vcpkg_install_meson()
vcpkg_fixup_pkgconfig()
vcpkg_cmake_config_fixup(PACKAGE_NAME kport CONFIG_PATH lib/cmake/kport)
vcpkg_copy_tools(TOOL_NAMES kport AUTO_CLEAN)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
